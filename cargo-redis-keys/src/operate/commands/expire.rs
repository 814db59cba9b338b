//! `expire`: gives the declared expiry to keys that have none.

use std::io;

use clap::Args;

use crate::Failure;
use crate::operate::change::{self, ChangeArgs, ChangeCommand, ChangeOptions, Choice};
use crate::outcome::Outcome;

/// The commands that a user needs on a server.
const COMMANDS: &str = "ping info dbsize select cluster|slots asking scan type pttl memory|usage getrange time eval \
                        pexpire";

/// Set missing expiries on a server: first a plan, then its keys
///
/// Without `--yes` nothing is changed: it says which keys would get an expiry, and `--plan FILE` lists them. With
/// `--plan FILE --yes` each of those keys gets the expiry of its declaration, unless it has changed since the plan was
/// made. Keys that are declared with `ttl = never` stay as they are. To repeat the command is safe.
#[derive(Args)]
pub(crate) struct ExpireArgs {
    /// Only keys of this declaration: `NAME` or `package::module::NAME`; needed with `--match` if a legacy text consists
    /// of fields alone
    #[arg(long, value_name = "NAME", help_heading = "Keys")]
    schema: Option<String>,
    #[command(flatten)]
    change: ChangeArgs,
}

pub(crate) fn run(args: ExpireArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    // With `--yes`, the plan has the keys.
    let is_chosen = args.schema.is_some() || !args.change.yes;
    let choice = is_chosen.then_some(Choice::WithoutExpiry(args.schema));
    change::run(ChangeCommand::Expire, COMMANDS, &args.change, choice, ChangeOptions::default(), out)
}
