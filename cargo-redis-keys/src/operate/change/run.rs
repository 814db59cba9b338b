//! The runs of `purge`, `expire` and `move`: a run that plans, and a run that acts.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::act::{self, Actor, Checks, KeySource};
use super::calls::Caller;
use super::named_keys::{self, LookResult, NO_DECLARATION};
use super::options::{ChangeArgs, ChangeCommand};
use super::plan::{Choice, FORMAT, Header, NamedKeys, PlanReader, PlanWriter, PlannedKey, now_ms};
use super::results::Results;
use super::selection::{Exclusion, Exclusions, Selection};
use super::selector::Selector;
use super::summary::{self, PlanSummary};
use super::target::Target;
use super::uses::{self, PlannedUses, ServerSnapshot};
use crate::Failure;
use crate::operate::masking::Masking;
use crate::operate::server::connection::Server;
use crate::operate::server::pace::PaceLimits;
use crate::operate::server::progress::{ProgressLine, progress};
use crate::operate::server::scan::{NodeResult, scan};
use crate::operate::server::stop::{interrupted, stop_at_signals, until_stopped, until_stopped_with};
use crate::outcome::Outcome;
use crate::render::printable;
use crate::render::server_user::ServerUser;

/// Runs a command, which sends these commands to servers. `choice` is `None` if the keys are only in the plan.
pub(crate) fn run(
    command: ChangeCommand,
    commands: &str,
    args: &ChangeArgs,
    choice: Option<Choice>,
    options: ChangeOptions,
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    if args.acl {
        writeln!(out, "ACL SETUSER {}", ServerUser::of_every_key(command.name(), commands))?;
        return Ok(Outcome::Fine);
    }
    // First, since it may restart the program to hide passwords.
    let servers = args.connection.servers(args.url.as_slice())?;
    let server = servers.first().ok_or_else(|| Failure::new("no server is named"))?;
    let mut run = Run { command, args, options, server, out };
    match (args.yes, &args.plan, choice) {
        (true, Some(_), None) if args.pattern.is_some() || args.namespace.is_some() || args.legacy_prefix.is_some() => {
            Err(chosen_twice())
        }
        (true, Some(plan), None) => run.act_on_plan(plan),
        (true, None, Some(Choice::Keys(keys))) => run.act_on_keys(&keys),
        (true, Some(_), Some(_)) => Err(chosen_twice()),
        (true, None, _) => Err(Failure::new("`--yes` needs a plan")
            .help("make one with `--plan FILE`, read it, and repeat the command with `--plan FILE --yes`")),
        (false, _, None) => Err(Failure::new("missing key selection").help(match command {
            ChangeCommand::Purge => "use `--schema NAME`, `--unknown --match GLOB`, or `--key KEY`",
            ChangeCommand::Expire | ChangeCommand::Move => "leave out `--plan`, or add `--yes`",
        })),
        (false, plan, Some(Choice::Keys(keys))) => run.plan_keys(keys, plan.as_deref()),
        (false, plan, Some(choice)) => run.plan_keys_of_scan(choice, plan.as_deref()),
    }
}

/// Options of `purge`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChangeOptions {
    /// Whether large collections are removed in steps.
    pub(crate) is_stepwise: bool,
    /// Whether it does not matter when keys were used last.
    pub(crate) without_last_use: bool,
}

/// A run of a command.
struct Run<'a> {
    command: ChangeCommand,
    args: &'a ChangeArgs,
    options: ChangeOptions,
    server: &'a Server,
    out: &'a mut dyn io::Write,
}

impl Run<'_> {
    /// Reads all keys, and reports the keys that would be changed.
    fn plan_keys_of_scan(&mut self, choice: Choice, plan: Option<&Path>) -> Result<Outcome, Failure> {
        let args = self.args;
        let (namespace, legacy_prefix) = (args.namespace.as_deref(), args.legacy_prefix.as_deref());
        let (selection, schemas) = Selection::read(&choice, &args.declarations, namespace, legacy_prefix)?;
        let schemas = Arc::new(schemas);
        let target = Target::open(self.server, &AtomicBool::new(false))?;
        let before = self.observe(&target)?;
        if selection.needs_time(&schemas.catalog) {
            uses::must_allow_time(&target)?;
        }
        let header = self.header(choice, &target, &before);
        let writer = plan.map(|path| PlanWriter::create(path, &header)).transpose()?;
        let (pattern, without_last_use) = (args.pattern.as_deref(), self.options.without_last_use);
        let mut selector = Selector::new(selection, Arc::clone(&schemas), pattern, without_last_use, writer);
        selector.is_cluster = target.is_cluster();
        let noting = header.nodes.iter().filter(|node| node.forks.is_some());
        selector.noting = noting.map(|node| node.address.clone()).collect();
        let selector = Arc::new(selector);
        let scanned = scan(std::slice::from_ref(self.server), &args.scan(), &selector);
        let mut selected = selector.finish();
        let mut not_checked = self.not_checked(&target, &before);
        not_checked.extend(NodeResult::not_read(&scanned?.nodes));
        // A plan that cannot be written is no reason to lose the counts.
        let written = selected.plan.take().map_or(Ok(()), PlanWriter::finish);
        let plan = plan.filter(|_| written.is_ok());
        let families = selected.tally.templates.templates();
        let arguments = [&args.pattern, &args.namespace, &args.legacy_prefix];
        let masking = Masking::new(args.show_keys, &schemas.catalog, &families).with_arguments(arguments);
        let planned = PlanSummary::of_scan(&selected, &schemas, families, &masking, not_checked);
        summary::planned(self.command, &planned, plan, args.json, self.out)?;
        written?;
        Ok(Outcome::Fine)
    }

    /// Reports the planned changes of keys that the user has named.
    fn plan_keys(&mut self, keys: NamedKeys, plan: Option<&Path>) -> Result<Outcome, Failure> {
        let (caller, before, mut found) = self.look_at(&keys, plan.is_some())?;
        let header = self.header(Choice::Keys(keys), &caller.target, &before);
        let mut exclusions = Exclusions::new();
        // With `--yes` and without a plan, they are looked at again just before.
        if plan.is_some() && !self.options.without_last_use {
            let nodes = || before.iter().map(|server| &server.node).filter(|node| node.forks.is_some());
            let notes_uses = |address: &str| nodes().any(|node| node.address == address);
            found.keys.retain(|key| {
                let exclusion = Exclusion::of_last_use(key.idle.filter(|_| notes_uses(&key.node)));
                exclusion.map(|exclusion| *exclusions.entry(exclusion).or_default() += 1).is_none()
            });
        }
        if let Some(path) = plan {
            let mut writer = PlanWriter::create(path, &header)?;
            found.keys.iter().try_for_each(|key| writer.add(key))?;
            writer.finish()?;
        }
        report_missing(&found);
        let not_checked = self.not_checked(&caller.target, &before);
        let planned = PlanSummary::of_keys(&found, &exclusions, not_checked);
        summary::planned(self.command, &planned, plan, self.args.json, self.out)?;
        Ok(Outcome::Fine)
    }

    /// Removes keys that the user has named.
    fn act_on_keys(&mut self, keys: &NamedKeys) -> Result<Outcome, Failure> {
        let (caller, _, found) = self.look_at(keys, false)?;
        report_missing(&found);
        let total = found.keys.len() as u64;
        let checks = Checks::of(KeySource::named(keys), false);
        self.act(caller, checks, (total, found.without_declaration), found.keys.into_iter().map(Ok))
    }

    /// Acts on a plan's keys.
    fn act_on_plan(&mut self, path: &Path) -> Result<Outcome, Failure> {
        // The whole plan is read before anything is changed.
        let (header, mut keys) = PlanReader::open(path, self.command)?;
        let total = keys.try_fold(0, |total, key| key.map(|_| total + 1))?;
        let checks = self.checks(&header)?;
        let stop = stop_at_signals()?;
        let compares_last_use = self.command == ChangeCommand::Purge && !self.options.without_last_use;
        let (target, now) = {
            let (server, flag) = (self.server.clone(), Arc::clone(&stop));
            until_stopped(&stop, move || {
                let target = Target::open(&server, &flag)?;
                let now = if compares_last_use { uses::observe(&target)? } else { Vec::new() };
                Ok((target, now))
            })?
        };
        target.must_be_of(&header, path)?;
        let checks = Checks {
            uses: compares_last_use.then(|| PlannedUses::new(&header.nodes, &now)),
            not_checked: uses::not_checked(&now),
            made_at_ms: header.made_at_ms,
            ..checks
        };
        let (_, keys) = PlanReader::open(path, self.command)?;
        let caller = Caller::new(target, self.args.pace.limits(), stop);
        self.act(caller, checks, (total, NO_DECLARATION), keys)
    }

    /// Asks the servers whether they note uses of keys, if that matters.
    fn observe(&self, target: &Target) -> Result<Vec<ServerSnapshot>, Failure> {
        if self.command != ChangeCommand::Purge {
            return Ok(Vec::new());
        }
        let now = uses::observe(target)?;
        if !self.options.without_last_use {
            uses::must_be_noted(&now)?;
        }
        Ok(now)
    }

    /// The uses of its keys that a plan does not know.
    fn not_checked(&self, target: &Target, before: &[ServerSnapshot]) -> Vec<String> {
        if self.options.without_last_use || before.is_empty() {
            return Vec::new();
        }
        let mut notes = uses::not_checked(before);
        match uses::observe(target) {
            Ok(after) => notes.extend(uses::forked_meanwhile(before, &after)),
            // The second run asks again, so the plan is not lost.
            Err(failure) => notes.push(format!("child processes while the plan was made: {}", failure.message())),
        }
        notes
    }

    /// The checks of a plan's lines against the declarations as they are now, and how their keys are shown.
    fn checks(&self, header: &Header) -> Result<Checks, Failure> {
        let needs_last_use = !header.without_last_use && !self.options.without_last_use;
        if let Choice::Keys(keys) = &header.selected {
            return Ok(Checks::of(KeySource::named(keys), needs_last_use));
        }
        let (namespace, legacy_prefix) = (header.namespace.as_deref(), header.legacy_prefix.as_deref());
        let (selection, schemas) =
            Selection::read(&header.selected, &self.args.declarations, namespace, legacy_prefix)?;
        let arguments = [&header.pattern, &header.namespace, &header.legacy_prefix];
        let masking = Masking::new(self.args.show_keys, &schemas.catalog, &[]).with_arguments(arguments);
        let pattern = header.pattern.as_deref();
        let selector = Selector::new(selection, Arc::new(schemas), pattern, !needs_last_use, None);
        let source = KeySource::Selector(Box::new(selector));
        Ok(Checks { masking: Some(masking), ..Checks::of(source, needs_last_use) })
    }

    /// Acts on these keys.
    fn act(
        &mut self,
        caller: Caller,
        mut checks: Checks,
        (total, without_declaration): (u64, &'static str),
        keys: impl Iterator<Item = Result<PlannedKey, Failure>> + Send + 'static,
    ) -> Result<Outcome, Failure> {
        let (not_checked, masking) = (std::mem::take(&mut checks.not_checked), checks.masking.take());
        let results = Results { not_checked, without_declaration, ..Results::default() };
        let (stop, results) = (Arc::clone(&caller.stop), Arc::new(Mutex::new(results)));
        let mut actor = Actor {
            caller,
            command: self.command,
            is_stepwise: self.options.is_stepwise,
            // Named keys, without a plan, have just been looked at.
            compares_last_use: !self.options.without_last_use,
            checks,
            results: Arc::clone(&results),
        };
        let (verb, mut line) = (self.command.pick("removing", "setting expiries", "moving"), ProgressLine::new());
        let show = || {
            let done = results.lock().unwrap_or_else(PoisonError::into_inner).ended();
            line.show(|seconds| format!("{verb}: {}", progress(done, "", total, done, seconds)));
        };
        let result = until_stopped_with(&stop, move || actor.run(keys), show)?;
        line.clear();
        let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(masking) = masking {
            results.mask(&masking);
        }
        let result = result.unwrap_or_else(|| Err(interrupted().help(act::go_on(&results))));
        summary::acted(self.command, &results, self.args.json, self.out)?;
        result?;
        Ok(if results.stay_count() == 0 { Outcome::Fine } else { Outcome::Findings })
    }

    /// Looks at keys that the user has named.
    fn look_at(&self, keys: &NamedKeys, observe: bool) -> Result<(Caller, Vec<ServerSnapshot>, LookResult), Failure> {
        let (schemas, stop) = (named_keys::schemas(self.args)?, stop_at_signals()?);
        let must_be_noted = !self.options.without_last_use;
        // A few keys need no pace.
        let limits = PaceLimits { max_latency: None, ..self.args.pace.limits() };
        let keys: Vec<Vec<u8>> = keys.0.iter().map(|key| key.0.clone()).collect();
        let (server, flag) = (self.server.clone(), Arc::clone(&stop));
        until_stopped(&stop, move || {
            let caller = Caller::new(Target::open(&server, &flag)?, limits, flag);
            let mut caller = if observe { caller.without_use() } else { caller };
            let now = if observe { uses::observe(&caller.target)? } else { Vec::new() };
            if must_be_noted {
                uses::must_be_noted(&now)?;
            }
            let found = named_keys::look(&mut caller, schemas.as_ref(), &keys)?;
            Ok((caller, now, found))
        })
    }

    fn header(&self, selected: Choice, target: &Target, now: &[ServerSnapshot]) -> Header {
        let nodes: Vec<_> = now.iter().map(|server| server.node.clone()).collect();
        let primaries = || target.primaries().into_iter().map(|(_, node)| node).collect();
        Header {
            format: FORMAT,
            command: self.command,
            selected,
            without_last_use: self.options.without_last_use,
            pattern: self.args.pattern.clone(),
            namespace: self.args.namespace.clone(),
            legacy_prefix: self.args.legacy_prefix.clone(),
            database: target.database(),
            made_at_ms: now_ms(),
            nodes: if nodes.is_empty() { primaries() } else { nodes },
        }
    }
}

fn chosen_twice() -> Failure {
    Failure::new("with `--yes`, the plan says which keys are changed")
        .help("leave out the options that choose keys, or leave out `--yes` to make a plan")
}

fn report_missing(found: &LookResult) {
    for key in &found.missing {
        message!("note: there is no key `{}`", printable(key));
    }
}
