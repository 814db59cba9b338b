//! The runs of `purge` and `expire`: one that plans, and one that acts.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::act::{self, Actor};
use super::calls::Caller;
use super::named_keys::{Found, look};
use super::options::{ChangeArgs, ChangeCommand};
use super::plan::{FORMAT, Header, PlanReader, PlanWriter, PlannedKey, now_ms};
use super::results::Results;
use super::select::{self, Selector, Wanted};
use super::summary::{self, Counted};
use super::target::Target;
use crate::Failure;
use crate::declarations::catalog::Catalog;
use crate::outcome::Outcome;
use crate::render::printable;
use crate::server::connection::Server;
use crate::server::pace::PaceLimits;
use crate::server::scan::scan;
use crate::server::schemas::Schemas;
use crate::server::stop::{interrupted, stop_at_signals, until_stopped};

/// The keys that a command changes.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// Those of a declaration, whatever they contain.
    Schema(String),
    /// Those that no declaration can produce.
    Unknown,
    /// These.
    Keys(Vec<Vec<u8>>),
    /// Those without an expiry: of a declaration, or of all.
    WithoutExpiry(Option<String>),
}

/// Runs a command. `choice` is `None` if the keys are only in the plan.
pub(crate) fn run(
    command: ChangeCommand,
    args: &ChangeArgs,
    choice: Option<Choice>,
    is_stepwise: bool,
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    // First, since it may restart the program to hide passwords.
    let servers = args.connection.servers(args.url.as_slice())?;
    let server = servers.first().ok_or_else(|| Failure::new("no server is named"))?;
    let mut run = Run { command, args, is_stepwise, server, out };
    match (args.yes, &args.plan, choice) {
        (true, Some(_), None) if args.pattern.is_some() || args.namespace.is_some() => Err(chosen_twice()),
        (true, Some(plan), None) => run.act_on_plan(plan),
        (true, None, Some(Choice::Keys(keys))) => run.act_on_keys(&keys),
        (true, Some(_), Some(_)) => Err(chosen_twice()),
        (true, None, _) => Err(Failure::new("`--yes` needs a plan")
            .help("make one with `--plan FILE`, read it, and repeat the command with `--plan FILE --yes`")),
        (false, _, None) => Err(Failure::new("missing key selection").help(match command {
            ChangeCommand::Purge => "use `--schema NAME`, `--unknown --match GLOB`, or `--key KEY`",
            ChangeCommand::Expire => "leave out `--plan`, or add `--yes`",
        })),
        (false, plan, Some(Choice::Keys(keys))) => run.plan_keys(&keys, plan.as_deref()),
        (false, plan, Some(choice)) => run.plan_keys_of_scan(&choice, plan.as_deref()),
    }
}

/// A run of a command.
struct Run<'a> {
    command: ChangeCommand,
    args: &'a ChangeArgs,
    /// Whether large collections are removed in steps.
    is_stepwise: bool,
    server: &'a Server,
    out: &'a mut dyn io::Write,
}

impl Run<'_> {
    /// Reads all keys, and reports which of them would be changed.
    fn plan_keys_of_scan(&mut self, choice: &Choice, plan: Option<&Path>) -> Result<Outcome, Failure> {
        let declarations = &self.args.declarations;
        let catalog =
            if matches!(choice, Choice::Unknown) { declarations.whole_catalog()? } else { declarations.catalog()? };
        let (wanted, selected) = wanted(&catalog, choice)?;
        let schemas = Arc::new(Schemas::new(catalog, self.args.namespace.as_deref()));
        let target = Target::open(self.server, &AtomicBool::new(false))?;
        let header = self.header(selected, &target);
        let writer = plan.map(|path| PlanWriter::create(path, &header)).transpose()?;
        let selector = Arc::new(Selector::new(wanted, Arc::clone(&schemas), writer));
        let scanned = scan(std::slice::from_ref(self.server), &self.args.scan(), &selector);
        let mut selected = selector.finish();
        let refused: u64 = scanned?.nodes.iter().map(|node| node.refused_keys).sum();
        let not_checked = (refused > 0).then(|| format!("{refused} keys: the user may not access them"));
        if let Some(writer) = selected.plan.take() {
            writer.finish()?;
        }
        let counted = Counted::of_tally(&selected, &schemas, not_checked.into_iter().collect());
        summary::planned(self.command, &counted, plan, self.args.json, self.out)?;
        Ok(Outcome::Fine)
    }

    /// Reports what would be done to keys that the user has named.
    fn plan_keys(&mut self, keys: &[Vec<u8>], plan: Option<&Path>) -> Result<Outcome, Failure> {
        let (caller, found) = self.look_at(keys)?;
        let header = self.header("keys".to_owned(), &caller.target);
        if let Some(path) = plan {
            let mut writer = PlanWriter::create(path, &header)?;
            found.keys.iter().try_for_each(|key| writer.add(key))?;
            writer.finish()?;
        }
        report_missing(&found);
        summary::planned(self.command, &Counted::of_keys(&found.keys), plan, self.args.json, self.out)?;
        Ok(Outcome::Fine)
    }

    /// Removes keys that the user has named.
    fn act_on_keys(&mut self, keys: &[Vec<u8>]) -> Result<Outcome, Failure> {
        let (caller, found) = self.look_at(keys)?;
        report_missing(&found);
        self.act(caller, 0, found.keys.into_iter().map(Ok))
    }

    /// Acts on the keys of a plan.
    fn act_on_plan(&mut self, path: &Path) -> Result<Outcome, Failure> {
        // The whole plan is read before anything is changed.
        let (header, mut keys) = PlanReader::open(path, self.command)?;
        keys.try_for_each(|key| key.map(drop))?;
        let stop = stop_at_signals()?;
        let target = {
            let (server, flag) = (self.server.clone(), Arc::clone(&stop));
            until_stopped(&stop, move || Target::open(&server, &flag))?.unwrap_or_else(|| Err(interrupted()))?
        };
        must_be_of(&header, &target, path)?;
        let (_, keys) = PlanReader::open(path, self.command)?;
        let caller = Caller::new(target, self.args.pace.limits(), stop);
        self.act(caller, header.made_at_ms, keys)
    }

    /// Acts on these keys.
    fn act(
        &mut self,
        caller: Caller,
        made_at_ms: u64,
        keys: impl Iterator<Item = Result<PlannedKey, Failure>> + Send + 'static,
    ) -> Result<Outcome, Failure> {
        let (stop, results) = (caller.stop(), Arc::new(Mutex::new(Results::default())));
        let mut actor = Actor {
            caller,
            command: self.command,
            is_stepwise: self.is_stepwise,
            made_at_ms,
            results: Arc::clone(&results),
        };
        let result = until_stopped(&stop, move || actor.run(keys))?.unwrap_or_else(|| Err(act::interrupted()));
        let results = results.lock().unwrap_or_else(PoisonError::into_inner);
        summary::acted(self.command, &results, self.args.json, self.out)?;
        result?;
        Ok(if results.are_fine() { Outcome::Fine } else { Outcome::Findings })
    }

    /// Looks at keys that the user has named.
    fn look_at(&self, keys: &[Vec<u8>]) -> Result<(Caller, Found), Failure> {
        let (schemas, stop) = (named_keys_schemas(self.args)?, stop_at_signals()?);
        // A few keys need no pace.
        let limits = PaceLimits { max_latency: None, ..self.args.pace.limits() };
        let (server, keys, flag) = (self.server.clone(), keys.to_vec(), Arc::clone(&stop));
        let looked = until_stopped(&stop, move || {
            let mut caller = Caller::new(Target::open(&server, &flag)?, limits, flag);
            let found = look(&mut caller, &schemas, &keys)?;
            Ok((caller, found))
        });
        looked?.unwrap_or_else(|| Err(interrupted()))
    }

    fn header(&self, selected: String, target: &Target) -> Header {
        Header {
            format: FORMAT,
            command: self.command,
            selected,
            pattern: self.args.pattern.clone(),
            namespace: self.args.namespace.clone(),
            database: target.database(),
            made_at_ms: now_ms(),
            nodes: target.nodes(),
        }
    }
}

fn chosen_twice() -> Failure {
    Failure::new("with `--yes`, the plan says which keys are changed")
        .help("leave out the options that choose keys, or leave out `--yes` to make a plan")
}

fn wanted(catalog: &Catalog, choice: &Choice) -> Result<(Wanted, String), Failure> {
    match choice {
        Choice::Schema(name) => {
            Ok((Wanted::PurgeDeclared(select::declarations(catalog, name)?), format!("schema {name}")))
        }
        Choice::WithoutExpiry(Some(name)) => {
            Ok((Wanted::Expire(Some(select::declarations(catalog, name)?)), format!("schema {name}")))
        }
        Choice::WithoutExpiry(None) => Ok((Wanted::Expire(None), "without expiry".to_owned())),
        Choice::Unknown | Choice::Keys(_) => {
            select::must_be_complete(catalog)?;
            Ok((Wanted::PurgeUnknown, "unknown".to_owned()))
        }
    }
}

fn report_missing(found: &Found) {
    for key in &found.missing {
        anstream::eprintln!("note: there is no key `{}`", printable(key));
    }
}

/// The declarations of keys that the user has named matter only if there is a catalog.
fn named_keys_schemas(args: &ChangeArgs) -> Result<Schemas, Failure> {
    let none = || Catalog::new(Vec::new(), Vec::new());
    let catalog = if args.declarations.catalog.is_some() { args.declarations.catalog()? } else { none() };
    Ok(Schemas::new(catalog, args.namespace.as_deref()))
}

/// Refuses the plan of another server: what it says about the keys is not true here.
fn must_be_of(header: &Header, target: &Target, path: &Path) -> Result<(), Failure> {
    let server = target.server();
    let (planned, here) = (header.database, target.database());
    if planned != here {
        return Err(Failure::new(format!(
            "`{}` is a plan for database {planned}, and {server} is used with database {here}",
            path.display()
        )));
    }
    if header.nodes.iter().any(|node| target.knows(node)) {
        return Ok(());
    }
    let nodes: Vec<_> = header.nodes.iter().map(|node| printable(node.address.as_bytes())).collect();
    if nodes.contains(&server.to_string()) {
        let message = format!("{server} was restarted since `{}` was made, or is another server", path.display());
        return Err(Failure::new(message).help("make a new plan"));
    }
    Err(Failure::new(format!("`{}` is a plan for {}, not for {server}", path.display(), nodes.join(", ")))
        .help("make a plan for this server: keys of the same name are other keys there"))
}
