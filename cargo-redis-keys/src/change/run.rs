//! The runs of `purge` and `expire`: one that plans, and one that acts.

use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use super::act::{self, Actor};
use super::calls::Caller;
use super::command::ChangeCommand;
use super::look::{Found, look};
use super::options::ChangeArgs;
use super::plan::{Header, PlanReader, PlanWriter, PlannedKey};
use super::results::Results;
use super::select::{self, Selector, Wanted};
use super::summary::{self, Counted};
use super::target::Target;
use crate::Failure;
use crate::audit::pace::PaceLimits;
use crate::audit::scan::{self, stop_at_signals, until_stopped};
use crate::audit::tally::Schemas;
use crate::catalogue::Catalogue;
use crate::cli::Outcome;
use crate::connection::Server;
use crate::output::printable;

/// Which keys a command changes.
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
    match (args.yes, &args.plan, choice) {
        (true, Some(_), None) if args.pattern.is_some() || args.namespace.is_some() => Err(chosen_twice()),
        (true, Some(plan), None) => act_on_plan(command, args, plan, is_stepwise, server, out),
        (true, None, Some(Choice::Keys(keys))) => act_on_keys(args, &keys, is_stepwise, server, out),
        (true, Some(_), Some(_)) => Err(chosen_twice()),
        (true, None, _) => Err(Failure::new("`--yes` needs a plan")
            .help("make one with `--plan FILE`, read it, and repeat the command with `--plan FILE --yes`")),
        (false, _, None) => Err(Failure::new("nothing says which keys are meant").help(match command {
            ChangeCommand::Purge => "use `--schema NAME`, `--unknown --match GLOB`, or `--key KEY`",
            ChangeCommand::Expire => "leave out `--plan`, or add `--yes`",
        })),
        (false, plan, Some(Choice::Keys(keys))) => plan_keys(args, &keys, plan.as_deref(), server, out),
        (false, plan, Some(choice)) => plan_keys_of_scan(command, args, &choice, plan.as_deref(), server, out),
    }
}

fn chosen_twice() -> Failure {
    Failure::new("with `--yes`, the plan says which keys are changed")
        .help("leave out the options that choose keys, or leave out `--yes` to make a plan")
}

/// Reads all keys, and says which of them would be changed.
fn plan_keys_of_scan(
    command: ChangeCommand,
    args: &ChangeArgs,
    choice: &Choice,
    plan: Option<&Path>,
    server: &Server,
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    let declarations = &args.declarations;
    let catalogue =
        if matches!(choice, Choice::Unknown) { declarations.whole_catalogue()? } else { declarations.catalogue()? };
    let (wanted, selected) = wanted(&catalogue, choice)?;
    let schemas = Arc::new(Schemas::new(catalogue, args.namespace.as_deref()));
    let target = Target::open(server, &AtomicBool::new(false))?;
    let header = header(command, args, selected, &target);
    let writer = plan.map(|path| PlanWriter::create(path, &header)).transpose()?;
    let selector = Arc::new(Selector::new(wanted, Arc::clone(&schemas), writer));
    let visited = scan::visit(server, &args.scan(), &schemas, selector.clone());
    let mut selected = selector.finish();
    let not_checked = visited?;
    if let Some(writer) = selected.plan.take() {
        writer.finish()?;
    }
    let counted = Counted::of_tally(&selected, &schemas, not_checked);
    summary::planned(command, &counted, plan, args.json, out)?;
    Ok(Outcome::Fine)
}

fn wanted(catalogue: &Catalogue, choice: &Choice) -> Result<(Wanted, String), Failure> {
    match choice {
        Choice::Schema(name) => {
            Ok((Wanted::PurgeDeclared(select::declarations(catalogue, name)?), format!("schema {name}")))
        }
        Choice::WithoutExpiry(Some(name)) => {
            Ok((Wanted::Expire(Some(select::declarations(catalogue, name)?)), format!("schema {name}")))
        }
        Choice::WithoutExpiry(None) => Ok((Wanted::Expire(None), "without expiry".to_owned())),
        Choice::Unknown | Choice::Keys(_) => {
            select::must_be_complete(catalogue)?;
            Ok((Wanted::PurgeUnknown, "unknown".to_owned()))
        }
    }
}

fn header(command: ChangeCommand, args: &ChangeArgs, selected: String, target: &Target) -> Header {
    let header = Header::new(command, selected, target.nodes(), target.database());
    Header { pattern: args.pattern.clone(), namespace: args.namespace.clone(), ..header }
}

/// Says what would be done to keys that the user has named.
fn plan_keys(
    args: &ChangeArgs,
    keys: &[Vec<u8>],
    plan: Option<&Path>,
    server: &Server,
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    let (caller, found) = look_at(args, keys, server)?;
    let header = header(ChangeCommand::Purge, args, "keys".to_owned(), &caller.target);
    if let Some(path) = plan {
        let mut writer = PlanWriter::create(path, &header)?;
        found.keys.iter().try_for_each(|key| writer.add(key))?;
        writer.finish()?;
    }
    say_missing(&found);
    summary::planned(ChangeCommand::Purge, &Counted::of_keys(&found.keys), plan, args.json, out)?;
    Ok(Outcome::Fine)
}

/// Removes keys that the user has named.
fn act_on_keys(
    args: &ChangeArgs,
    keys: &[Vec<u8>],
    is_stepwise: bool,
    server: &Server,
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    let (caller, found) = look_at(args, keys, server)?;
    say_missing(&found);
    act(ChangeCommand::Purge, args, caller, 0, is_stepwise, found.keys.into_iter().map(Ok), out)
}

fn say_missing(found: &Found) {
    for key in &found.missing {
        anstream::eprintln!("note: there is no key `{}`", printable(key));
    }
}

/// Looks at keys that the user has named.
fn look_at(args: &ChangeArgs, keys: &[Vec<u8>], server: &Server) -> Result<(Caller, Found), Failure> {
    let (schemas, stop) = (named_keys_schemas(args)?, stop_at_signals()?);
    // A few keys need no pace.
    let limits = PaceLimits { max_latency: None, ..args.pace.limits() };
    let (server, keys, flag) = (server.clone(), keys.to_vec(), Arc::clone(&stop));
    let looked = until_stopped(&stop, move || {
        let mut caller = Caller::new(Target::open(&server, &flag)?, limits, flag);
        let found = look(&mut caller, &schemas, &keys)?;
        Ok((caller, found))
    });
    looked?.unwrap_or_else(|| Err(interrupted()))
}

fn interrupted() -> Failure {
    Failure::new("interrupted")
}

/// The declarations of keys that the user has named matter only if there is a catalogue.
fn named_keys_schemas(args: &ChangeArgs) -> Result<Schemas, Failure> {
    let none = || Catalogue::new(Vec::new(), Vec::new());
    let catalogue = if args.declarations.catalog.is_some() { args.declarations.catalogue()? } else { none() };
    Ok(Schemas::new(catalogue, args.namespace.as_deref()))
}

/// Acts on the keys of a plan.
fn act_on_plan(
    command: ChangeCommand,
    args: &ChangeArgs,
    path: &Path,
    is_stepwise: bool,
    server: &Server,
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    // The whole plan is read before anything is changed.
    let (header, mut keys) = PlanReader::open(path, command)?;
    keys.try_for_each(|key| key.map(drop))?;
    let stop = stop_at_signals()?;
    let target = {
        let (server, flag) = (server.clone(), Arc::clone(&stop));
        until_stopped(&stop, move || Target::open(&server, &flag))?.unwrap_or_else(|| Err(interrupted()))?
    };
    must_be_of(&header, &target, path)?;
    let (_, keys) = PlanReader::open(path, command)?;
    let caller = Caller::new(target, args.pace.limits(), stop);
    act(command, args, caller, header.made_at_ms, is_stepwise, keys, out)
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

fn act(
    command: ChangeCommand,
    args: &ChangeArgs,
    caller: Caller,
    made_at_ms: u64,
    is_stepwise: bool,
    keys: impl Iterator<Item = Result<PlannedKey, Failure>> + Send + 'static,
    out: &mut dyn io::Write,
) -> Result<Outcome, Failure> {
    let (stop, results) = (caller.stop(), Arc::new(Mutex::new(Results::default())));
    let mut actor = Actor { caller, command, is_stepwise, made_at_ms, results: Arc::clone(&results) };
    let result = until_stopped(&stop, move || actor.run(keys))?.unwrap_or_else(|| Err(act::interrupted()));
    let results = results.lock().unwrap_or_else(PoisonError::into_inner);
    summary::acted(command, &results, args.json, out)?;
    result?;
    Ok(if results.are_fine() { Outcome::Fine } else { Outcome::Findings })
}
