//! `purge`: removes keys from a live server.

use std::ffi::OsString;
use std::io;

use clap::Args;

use crate::Failure;
use crate::operate::change::{self, ChangeArgs, ChangeCommand, ChangeOptions, Choice};
use crate::outcome::Outcome;

/// The commands that a user needs on a server.
const COMMANDS: &str = "ping info dbsize select cluster|slots asking scan type pttl memory|usage object|idletime time \
                        eval unlink client|no-touch strlen get getrange xinfo|stream hlen hscan hdel llen ltrim scard \
                        spop zcard zremrangebyrank xlen xtrim";

/// Remove keys from a server: first a plan, then its keys
///
/// Without `--yes` nothing is changed: it says which keys would be removed, and `--plan FILE` lists them. With `--plan
/// FILE --yes` each of those keys is removed, unless it has changed or was used since the plan was made. To repeat the
/// command is safe.
///
/// Whether a key was used comes from the idle time that the server keeps. It does not see reads from replicas, reads and
/// writes by clients with `CLIENT NO-TOUCH`, commands such as `EXISTS` and `TTL`, and values that programs keep in their
/// own memory. If the server has had a child process since the plan, as for a save, a rewrite of the AOF or a new
/// replica, it has noted no uses meanwhile, so its keys stay.
#[derive(Args)]
// Here `--key` names a key of the server.
#[command(mut_arg("key", |arg| arg.visible_alias(None)))]
pub(crate) struct PurgeArgs {
    /// Keys of this declaration and its type: `NAME` or `package::module::NAME`; needs `--match` if a legacy text
    /// consists of fields alone
    #[arg(long, value_name = "NAME", conflicts_with_all = ["unknown", "keys"], help_heading = "Keys")]
    schema: Option<String>,
    /// Keys that no declaration can produce; needs `--match`
    #[arg(long, requires = "pattern", conflicts_with = "keys", help_heading = "Keys")]
    unknown: bool,
    /// This key (can be repeated); `--yes` needs no plan
    #[arg(long = "key", value_name = "KEY", conflicts_with = "pattern", help_heading = "Keys")]
    keys: Vec<OsString>,
    /// Remove large collections 100 elements at a time
    #[arg(long)]
    stepwise: bool,
    /// Also keys that were used in the last seconds, or without a known last use; with `--yes`, keys that may have been
    /// used since the plan too
    #[arg(long)]
    without_last_use: bool,
    #[command(flatten)]
    change: ChangeArgs,
}

pub(crate) fn run(args: PurgeArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    let choice = if let Some(name) = args.schema {
        Some(Choice::Schema(name))
    } else if args.unknown {
        Some(Choice::Unknown)
    } else if args.keys.is_empty() {
        None
    } else {
        Some(Choice::keys(args.keys.into_iter().map(OsString::into_encoded_bytes)))
    };
    let options = ChangeOptions { is_stepwise: args.stepwise, without_last_use: args.without_last_use };
    let outcome = change::run(ChangeCommand::Purge, COMMANDS, &args.change, choice, options, out)?;
    if args.change.acl {
        message!(
            "note: all after `+xinfo|stream` is for `--stepwise`, and `+asking` for clusters; Redis before 7.2 lacks \
             `client|no-touch`"
        );
    }
    Ok(outcome)
}
