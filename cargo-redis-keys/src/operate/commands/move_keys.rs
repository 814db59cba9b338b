//! `move`: renames keys to the name in use.

use std::io;

use clap::Args;

use crate::Failure;
use crate::operate::change::{self, ChangeArgs, ChangeCommand, ChangeOptions, Choice};
use crate::outcome::Outcome;

/// The commands that a user needs on a server.
const COMMANDS: &str = "ping info dbsize select cluster|slots asking scan type pttl memory|usage getrange time eval \
                        pexpire rename";

/// Rename keys to the name in use: first a plan, then its keys
///
/// The name in use of a declaration is that of its template with `formerly`, and the text with `legacy`. Without
/// `--yes` nothing is changed: it says which keys would be renamed, and `--plan FILE` lists them. With `--plan FILE
/// --yes` each of those keys is renamed, unless there is one of the new name. A key without an expiry gets the one of
/// its declaration. To repeat the command is safe.
#[derive(Args)]
pub(crate) struct MoveArgs {
    /// Only keys of this declaration: `NAME` or `package::module::NAME`; needed with `--match` if a legacy text consists
    /// of fields alone
    #[arg(long, value_name = "NAME", help_heading = "Keys")]
    schema: Option<String>,
    #[command(flatten)]
    change: ChangeArgs,
}

pub(crate) fn run(args: MoveArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    // With `--yes`, the plan has the keys.
    let is_chosen = args.schema.is_some() || !args.change.yes;
    let choice = is_chosen.then_some(Choice::OtherName(args.schema));
    change::run(ChangeCommand::Move, COMMANDS, &args.change, choice, ChangeOptions::default(), out)
}
