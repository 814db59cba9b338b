//! Acts on a plan's keys.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::calls::{Answer, Call, Caller, EXPIRE, MOVE, PURGE};
use super::options::ChangeCommand;
use super::plan::{Forks, NamedKeys, PlannedKey, now_ms};
use super::results::{KeyOutcome, Results};
use super::selector::Selector;
use super::uses::{self, PlannedUses};
use crate::Failure;
use crate::operate::hidden_passwords::shown_command;
use crate::operate::masking::Masking;
use crate::operate::server::stop;
use crate::operate::server::value::{bytes, elements};
use crate::render::units::things;

/// The number of elements of a collection that one script removes.
const STEP: usize = 100;

/// The number of arguments of `purge.lua`.
const PURGE_ARGUMENTS: usize = 12;

/// The number of large collections that are begun together.
const STEPWISE_PIPELINE: usize = 5;

/// The time by which the clocks of this machine and of a server drift apart between two runs.
const CLOCK_MS: u64 = 2_000;

/// The reason for which a key stays that was replaced.
const OTHER_TYPE: &str = "it has another type";

/// The reason for which a large collection stays that is not as planned when the first step is repeated.
const PERHAPS_BEGUN: &str = "it was changed, or a part of it is removed: the reply of the server was lost";

/// Acts on a plan's keys.
pub(super) struct Actor {
    pub(super) caller: Caller,
    pub(super) command: ChangeCommand,
    /// Whether large collections are removed in steps.
    pub(super) is_stepwise: bool,
    /// Whether keys that were used since the plan stay.
    pub(super) compares_last_use: bool,
    pub(super) checks: Checks,
    pub(super) results: Arc<Mutex<Results>>,
}

/// The checks of a plan's keys.
pub(super) struct Checks {
    /// Checks the lines of a plan.
    pub(super) source: KeySource,
    /// Whether it must be known when a key was used last.
    pub(super) needs_last_use: bool,
    /// The servers of a plan, if the last use of its keys is compared.
    pub(super) uses: Option<PlannedUses>,
    pub(super) not_checked: Vec<String>,
    /// The time at which the plan was made.
    pub(super) made_at_ms: u64,
    /// The masks of shown keys. `None` if the user has named the keys.
    pub(super) masking: Option<Masking>,
}

impl Checks {
    /// The checks of keys that were not planned with a look at their uses.
    pub(super) fn of(source: KeySource, needs_last_use: bool) -> Self {
        Self { source, needs_last_use, uses: None, not_checked: Vec::new(), made_at_ms: 0, masking: None }
    }
}

/// The keys that a plan can contain. Its lines can be edited by hand: keys that a plan made now would not contain stay.
pub(super) enum KeySource {
    /// Those that the declarations select.
    Selector(Box<Selector>),
    /// Those that the user has named.
    Named(HashSet<Vec<u8>>),
}

impl KeySource {
    pub(super) fn named(keys: &NamedKeys) -> Self {
        Self::Named(keys.0.iter().map(|key| key.0.clone()).collect())
    }

    /// The reason for which a plan that is made now would not contain this line.
    fn objection(&self, planned: &PlannedKey) -> Option<&'static str> {
        match self {
            Self::Named(keys) if keys.contains(&planned.key.0) => None,
            Self::Named(_) => Some("it is not one of the keys that the plan was made of"),
            Self::Selector(selector) => selector.objection(planned),
        }
    }

    /// The first bytes of a value that a key of this declaration can have. Empty if it can have any.
    fn first_bytes(&self, key: &[u8]) -> &'static str {
        if matches!(self, Self::Selector(selector) if selector.is_hyperloglog(key)) { "HYLL" } else { "" }
    }
}

/// The reply of a script.
enum ScriptReply {
    Ended(KeyOutcome),
    /// Elements are left.
    Rest(Rest),
}

/// The rest of a collection: the cursor of the next step, and the number of elements.
struct Rest {
    cursor: String,
    elements: String,
}

impl Actor {
    /// Acts on each key. The results also have the keys that were done before an error.
    pub(super) fn run(&mut self, keys: impl Iterator<Item = Result<PlannedKey, Failure>>) -> Result<(), Failure> {
        let result = self.run_all(keys);
        result.map_err(|failure| failure.or_help(go_on(&self.results())))
    }

    fn run_all(&mut self, keys: impl Iterator<Item = Result<PlannedKey, Failure>>) -> Result<(), Failure> {
        let mut batch = Vec::new();
        for key in keys {
            let key = key?;
            let is_unknown =
                self.command == ChangeCommand::Purge && self.checks.needs_last_use && key.last_use.is_none();
            let unknown = is_unknown.then_some("its last use is unknown: see `--without-last-use`");
            if let Some(why) = self.checks.source.objection(&key).or(unknown) {
                self.results().add(&key, KeyOutcome::NotSelected(why));
                continue;
            }
            if let Err(why) = self.uses_of(&key) {
                self.results().add(&key, KeyOutcome::Uncertain(why));
                continue;
            }
            batch.push(key);
            let most = if self.is_stepwise { STEPWISE_PIPELINE } else { self.caller.pipeline() };
            if batch.len() >= most {
                self.act(&std::mem::take(&mut batch))?;
            }
        }
        self.act(&batch)
    }

    fn act(&mut self, keys: &[PlannedKey]) -> Result<(), Failure> {
        if self.caller.must_stop() {
            return Err(stop::interrupted());
        }
        let calls: Vec<Call> = keys.iter().map(|key| self.first_call(key)).collect();
        let (answers, result) = self.caller.call(&calls);
        let mut rests = Vec::new();
        for (key, answer) in keys.iter().zip(answers) {
            match answer.map(|answer| self.read(&answer)) {
                None => {}
                Some(ScriptReply::Ended(outcome)) => self.add(key, outcome),
                Some(ScriptReply::Rest(rest)) => {
                    self.results().begun += 1;
                    rests.push((key, rest));
                }
            }
        }
        let result = result.and_then(|()| rests.into_iter().try_for_each(|(key, rest)| self.remove_rest(key, rest)));
        if result.is_ok() && self.caller.must_stop() { Err(stop::interrupted()) } else { result }
    }

    /// Removes the rest of a large collection, step by step.
    fn remove_rest(&mut self, key: &PlannedKey, mut rest: Rest) -> Result<(), Failure> {
        loop {
            if self.caller.must_stop() {
                return Err(stop::interrupted());
            }
            let (answers, result) = self.caller.call(&[step(key, &rest)]);
            result?;
            match answers.into_iter().flatten().next().map(|answer| self.read(&answer)) {
                None => return Err(stop::interrupted()),
                Some(ScriptReply::Ended(outcome)) => {
                    // Another client has removed the rest, or it has expired. A key of another type is a new key.
                    let is_removed = matches!(outcome, KeyOutcome::Done | KeyOutcome::Gone);
                    if is_removed || outcome == KeyOutcome::Changed(OTHER_TYPE) {
                        self.results().begun -= 1;
                    }
                    self.add(key, if is_removed { KeyOutcome::Done } else { outcome });
                    return Ok(());
                }
                Some(ScriptReply::Rest(next)) => rest = next,
            }
        }
    }

    /// The server that must have a key, with its forks, if its last use is compared. If it is not certain that its use
    /// would be noted, the reason.
    fn uses_of(&self, key: &PlannedKey) -> Result<Option<(&str, Forks)>, &'static str> {
        let uses = self.checks.uses.as_ref().filter(|_| key.last_use.is_some());
        uses.map(|uses| uses.of(key)).transpose()
    }

    fn add(&mut self, key: &PlannedKey, outcome: KeyOutcome) {
        if let (KeyOutcome::Uncertain(why @ (uses::FORKED | uses::RESET)), Some(uses)) =
            (&outcome, &mut self.checks.uses)
        {
            uses.object(&key.node, why);
        }
        let is_unchecked = key.last_use.is_none() || !self.compares_last_use;
        if outcome == KeyOutcome::Done && self.command == ChangeCommand::Purge && is_unchecked {
            self.results().last_use_unknown += 1;
        }
        self.results().add(key, outcome);
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn first_call(&self, key: &PlannedKey) -> Call {
        let uses = self.uses_of(key).unwrap_or_default();
        let ttl = key.set_ttl_ms.map(|ttl| ttl.saturating_add(key.set_jitter_ms.unwrap_or_default()));
        let first_bytes = self.checks.source.first_bytes(&key.key.0).to_owned();
        let arguments = match self.command {
            ChangeCommand::Purge => {
                let forks = uses.map(|(_, forks)| forks);
                vec![
                    key.redis_type.clone(),
                    key.expires_at_ms.unwrap_or(0).to_string(),
                    text_or_empty(key.last_use.filter(|_| self.compares_last_use)),
                    text_or_empty(key.bytes),
                    if self.is_stepwise { STEP.to_string() } else { String::new() },
                    "0".to_owned(),
                    String::new(),
                    first_bytes,
                    key.digest.clone().unwrap_or_default(),
                    text_or_empty(forks.map(|forks| forks.total)),
                    text_or_empty(forks.map(|forks| forks.latest_us)),
                    text_or_empty(forks.map(|forks| forks.commands)),
                ]
            }
            ChangeCommand::Expire => {
                let passed = now_ms().saturating_sub(self.checks.made_at_ms).saturating_add(CLOCK_MS);
                let from = text_or_empty(key.set_from_ms);
                vec![key.redis_type.clone(), text_or_empty(ttl), passed.to_string(), first_bytes, from]
            }
            ChangeCommand::Move => vec![key.redis_type.clone(), text_or_empty(ttl), text_or_empty(key.set_from_ms)],
        };
        let script = self.command.pick(&PURGE, &EXPIRE, &MOVE);
        let node = uses.map(|(node, _)| node.to_owned());
        Call { key: key.key.0.clone(), to: key.to.clone(), script, arguments, node }
    }

    fn read(&self, answer: &Answer) -> ScriptReply {
        let value = match &answer.reply {
            Ok(value) => value,
            Err(why) => return ScriptReply::Ended(KeyOutcome::Refused(why.clone())),
        };
        let texts: Vec<&[u8]> = elements(value).iter().map(|text| bytes(text).unwrap_or_default()).collect();
        let outcome = match texts.as_slice() {
            [b"done"] => KeyOutcome::Done,
            // The first reply was lost.
            [b"gone"] if answer.is_repeated && self.command == ChangeCommand::Purge => KeyOutcome::Done,
            [b"already"] if answer.is_repeated => KeyOutcome::Done,
            [b"gone"] => KeyOutcome::Gone,
            [b"already"] => KeyOutcome::Already,
            [b"both"] => KeyOutcome::Changed("there is a key of the new name"),
            [b"type"] => KeyOutcome::Changed(OTHER_TYPE),
            [b"expiry"] if self.command == ChangeCommand::Expire => KeyOutcome::Changed("it has an expiry"),
            [b"expiry"] => KeyOutcome::Changed("it has another expiry"),
            [b"use"] => KeyOutcome::Changed("it was used"),
            [b"memory"] => KeyOutcome::Changed("it has another size"),
            [b"value"] => KeyOutcome::Changed("it has another value"),
            [b"reset"] => KeyOutcome::Uncertain(uses::RESET),
            [b"forks"] => KeyOutcome::Uncertain(uses::FORKED),
            [b"moved"] => KeyOutcome::Uncertain(uses::MOVED),
            [b"rest", cursor, elements] => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                return ScriptReply::Rest(Rest { cursor: text(cursor), elements: text(elements) });
            }
            _ => KeyOutcome::Refused("unexpected reply".to_owned()),
        };
        // The compared values are not as planned after the act's own first step.
        let may_be_begun = self.is_stepwise && answer.is_repeated && matches!(outcome, KeyOutcome::Changed(_));
        ScriptReply::Ended(if may_be_begun { KeyOutcome::Changed(PERHAPS_BEGUN) } else { outcome })
    }
}

fn text_or_empty(number: Option<u64>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// The next step for a collection that was begun. The first step has used it. So another use is seen only if it has
/// grown.
fn step(key: &PlannedKey, rest: &Rest) -> Call {
    let arguments = vec![
        key.redis_type.clone(),
        key.expires_at_ms.unwrap_or(0).to_string(),
        String::new(),
        String::new(),
        STEP.to_string(),
        rest.cursor.clone(),
        rest.elements.clone(),
    ];
    // A key that has begun is not compared again.
    let others = std::iter::repeat_n(String::new(), PURGE_ARGUMENTS - arguments.len());
    let arguments = arguments.into_iter().chain(others).collect();
    Call { key: key.key.0.clone(), to: None, script: &PURGE, arguments, node: None }
}

/// The way to go on after an act that has ended early. The rest of a large collection is not as planned.
pub(super) fn go_on(results: &Results) -> String {
    let go_on = format!("go on with `{}`", shown_command());
    match results.begun {
        0 => go_on,
        begun => {
            let collections = things(begun, "collection");
            format!("make a new plan for what is left of {collections}; for all other keys, {go_on}")
        }
    }
}
