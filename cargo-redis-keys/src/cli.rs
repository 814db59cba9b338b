//! The command line.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::Failure;
#[cfg(feature = "adopt")]
use crate::adopt::command as adopt;
#[cfg(feature = "completions")]
use crate::completions;
#[cfg(feature = "generate")]
use crate::declare::commands::generate;
use crate::declare::commands::{acl, catalog, check, explain, init, lookup, values};
use crate::declare::run_as_wrapper;
#[cfg(not(feature = "adopt"))]
use crate::left_out::adopt;
#[cfg(not(feature = "completions"))]
use crate::left_out::completions;
#[cfg(not(feature = "generate"))]
use crate::left_out::generate;
#[cfg(not(feature = "audit"))]
use crate::left_out::{audit, expire, move_keys, purge};
#[cfg(feature = "audit")]
use crate::operate::commands::{audit, expire, move_keys, purge};
use crate::outcome::Outcome;
use crate::password::without_passwords;

/// The Redis keys that a project declares, and what is really on a server.
#[derive(Parser)]
#[command(name = "cargo redis-keys", bin_name = "cargo redis-keys", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Catalog(catalog::CatalogArgs),
    Check(check::CheckArgs),
    Explain(explain::ExplainArgs),
    Generate(generate::GenerateArgs),
    Lookup(lookup::LookupArgs),
    Values(values::ValuesArgs),
    Init(init::InitArgs),
    Acl(acl::AclArgs),
    Adopt(Box<adopt::AdoptArgs>),
    Audit(Box<audit::AuditArgs>),
    Expire(Box<expire::ExpireArgs>),
    Move(Box<move_keys::MoveArgs>),
    Purge(Box<purge::PurgeArgs>),
    Completions(completions::CompletionsArgs),
}

/// The status if the reader of the output has closed it before the end, as of a program that the signal `SIGPIPE` ends.
const CLOSED_PIPE: u8 = 128 + 13;

/// Runs the program with these arguments, the first of which is its name. Returns status 0 if all is fine, 1 for
/// findings, 2 if the command could not run, and 141 if the output was closed before its end.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<_> = arguments.into_iter().collect();
    if let Some(status) = run_as_wrapper(&arguments) {
        return status;
    }
    let cli = match Cli::try_parse_from(without_cargo(arguments)) {
        Ok(cli) => cli,
        // Also `--help` and `--version`, which go to stdout with status 0.
        Err(message) => {
            if !message.use_stderr() {
                let _ = message.print();
                return ExitCode::SUCCESS;
            }
            // The message repeats arguments.
            crate::stderr::print(format_args!("{}", without_passwords(&message.render().ansi().to_string())));
            return ExitCode::from(2);
        }
    };
    let mut out = anstream::stdout().lock();
    let outcome = cli.command.run(&mut out).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match outcome {
        Ok(Outcome::Fine) => ExitCode::SUCCESS,
        Ok(Outcome::Findings) => ExitCode::FAILURE,
        // As in `… | head`. The missing part could be a finding.
        Err(failure) if failure.is_broken_pipe() => ExitCode::from(CLOSED_PIPE),
        Err(failure) => {
            message!("{failure:#}");
            ExitCode::from(2)
        }
    }
}

impl Command {
    fn run(self, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
        match self {
            Self::Catalog(args) => catalog::run(&args, out),
            Self::Check(args) => check::run(&args, out),
            Self::Explain(args) => explain::run(&args, out),
            Self::Generate(args) => generate::run(&args, out),
            Self::Lookup(args) => lookup::run(&args, out),
            Self::Values(args) => values::run(&args, out),
            Self::Init(args) => init::run(&args, out),
            Self::Acl(args) => acl::run(&args, out),
            Self::Adopt(args) => adopt::run(&args, out),
            Self::Audit(args) => audit::run(&args, out),
            Self::Expire(args) => expire::run(*args, out),
            Self::Move(args) => move_keys::run(*args, out),
            Self::Purge(args) => purge::run(*args, out),
            Self::Completions(args) => completions::run((args, Cli::command()), out),
        }
    }
}

/// Cargo passes the name of the subcommand as the first argument: `cargo-redis-keys redis-keys catalog`.
fn without_cargo(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|argument| argument == "redis-keys") {
        arguments.remove(1);
    }
    arguments
}
