//! Acts on the keys of a plan.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use redis::Value;

use super::calls::{Answer, Call, Caller};
use super::command::ChangeCommand;
use super::plan::{PlannedKey, now_ms};
use super::results::{Outcome, Results};
use super::script::Script;
use crate::Failure;
use crate::connection::shown_command;

/// How many elements of a collection one script removes.
const STEP: usize = 100;

/// How many large collections are begun at once.
const STEPWISE_PIPELINE: usize = 5;

/// How far the clocks of this machine and of a server drift apart between two runs.
const CLOCK_MS: u64 = 2_000;

/// Acts on the keys of a plan.
pub(super) struct Actor {
    pub(super) caller: Caller,
    pub(super) command: ChangeCommand,
    /// Whether large collections are removed in steps.
    pub(super) is_stepwise: bool,
    /// When the plan was made.
    pub(super) made_at_ms: u64,
    /// What was done by now.
    pub(super) results: Arc<Mutex<Results>>,
}

/// What a script says of a key.
enum Said {
    Ended(Outcome),
    /// Elements are left.
    Rest(Rest),
}

/// What is left of a collection: the cursor of the next step, and the number of elements.
struct Rest {
    cursor: String,
    elements: String,
}

impl Actor {
    /// Acts on each key. What was done until an error is in the results.
    pub(super) fn run(&mut self, keys: impl Iterator<Item = Result<PlannedKey, Failure>>) -> Result<(), Failure> {
        let mut batch = Vec::new();
        for key in keys {
            batch.push(key?);
            let most = if self.is_stepwise { STEPWISE_PIPELINE } else { self.caller.pipeline() };
            if batch.len() >= most {
                self.act(&std::mem::take(&mut batch))?;
            }
        }
        self.act(&batch)
    }

    fn act(&mut self, keys: &[PlannedKey]) -> Result<(), Failure> {
        if self.caller.must_stop() {
            return Err(interrupted());
        }
        let calls: Vec<Call> = keys.iter().map(|key| self.first_call(key)).collect();
        let mut answers = Vec::new();
        let result = self.caller.call(&calls, &mut answers);
        let mut rests = Vec::new();
        for (key, answer) in keys.iter().zip(answers) {
            match answer.map(|answer| self.read(&answer)) {
                None => {}
                Some(Said::Ended(outcome)) => self.add(key, outcome),
                Some(Said::Rest(rest)) => {
                    self.results().begun += 1;
                    rests.push((key, rest));
                }
            }
        }
        let result = result.and_then(|()| rests.into_iter().try_for_each(|(key, rest)| self.remove_rest(key, rest)));
        if result.is_ok() && self.caller.must_stop() { Err(interrupted()) } else { result }
    }

    /// Removes the rest of a large collection, step by step.
    fn remove_rest(&mut self, key: &PlannedKey, mut rest: Rest) -> Result<(), Failure> {
        loop {
            if self.caller.must_stop() {
                return Err(interrupted());
            }
            let call = step(key, &rest);
            let mut answers = Vec::new();
            self.caller.call(&[call], &mut answers)?;
            match answers.into_iter().flatten().next().map(|answer| self.read(&answer)) {
                None => return Err(interrupted()),
                Some(Said::Ended(outcome)) => {
                    self.results().begun -= 1;
                    // Another client has removed the rest, or it has expired.
                    self.add(key, if outcome == Outcome::Gone { Outcome::Done } else { outcome });
                    return Ok(());
                }
                Some(Said::Rest(next)) => rest = next,
            }
        }
    }

    fn add(&mut self, key: &PlannedKey, outcome: Outcome) {
        if outcome == Outcome::Done && self.command == ChangeCommand::Purge && key.last_use.is_none() {
            self.results().last_use_unknown += 1;
        }
        self.results().add(key, outcome);
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn first_call(&self, key: &PlannedKey) -> Call {
        let arguments = match self.command {
            ChangeCommand::Purge => vec![
                key.redis_type.clone(),
                has_expiry(key),
                key.last_use.map(|last_use| last_use.to_string()).unwrap_or_default(),
                if self.is_stepwise { STEP.to_string() } else { String::new() },
                "0".to_owned(),
            ],
            ChangeCommand::Expire => {
                let ttl = key.set_ttl_ms.unwrap_or_default().saturating_add(key.set_jitter_ms.unwrap_or_default());
                let passed = now_ms().saturating_sub(self.made_at_ms).saturating_add(CLOCK_MS);
                vec![key.redis_type.clone(), ttl.to_string(), ttl.saturating_sub(passed).to_string()]
            }
        };
        let script = match self.command {
            ChangeCommand::Purge => Script::Purge,
            ChangeCommand::Expire => Script::Expire,
        };
        Call { key: key.key.0.clone(), script, arguments }
    }

    fn read(&self, answer: &Answer) -> Said {
        let value = match &answer.reply {
            Ok(value) => value,
            Err(why) => return Said::Ended(Outcome::Refused(why.clone())),
        };
        let outcome = match texts(value).as_slice() {
            [b"done"] => Outcome::Done,
            // The first reply was lost.
            [b"gone"] if answer.is_repeated && self.command == ChangeCommand::Purge => Outcome::Done,
            [b"already"] if answer.is_repeated => Outcome::Done,
            [b"gone"] => Outcome::Gone,
            [b"already"] => Outcome::Already,
            [b"type"] => Outcome::Changed("it has another type"),
            [b"expiry"] if self.command == ChangeCommand::Expire => Outcome::Changed("it has an expiry"),
            [b"expiry"] => Outcome::Changed("it has got an expiry, or lost it"),
            [b"use"] => Outcome::Changed("it was used"),
            [b"rest", cursor, elements] => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                return Said::Rest(Rest { cursor: text(cursor), elements: text(elements) });
            }
            _ => Outcome::Refused("unexpected reply".to_owned()),
        };
        Said::Ended(outcome)
    }
}

fn has_expiry(key: &PlannedKey) -> String {
    if key.ttl_ms.is_some() { "1" } else { "0" }.to_owned()
}

/// The next step for a collection that was begun. The first step has used it. So another use is seen only if it has grown.
fn step(key: &PlannedKey, rest: &Rest) -> Call {
    let arguments = vec![
        key.redis_type.clone(),
        has_expiry(key),
        String::new(),
        STEP.to_string(),
        rest.cursor.clone(),
        rest.elements.clone(),
    ];
    Call { key: key.key.0.clone(), script: Script::Purge, arguments }
}

fn texts(value: &Value) -> Vec<&[u8]> {
    let Value::Array(values) = value else { return Vec::new() };
    values.iter().map(text).collect()
}

fn text(value: &Value) -> &[u8] {
    if let Value::BulkString(text) = value { text } else { b"" }
}

pub(super) fn interrupted() -> Failure {
    Failure::new("interrupted").help(format!("go on with `{}`", shown_command()))
}
