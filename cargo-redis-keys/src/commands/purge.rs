//! `purge`: removes keys from a live server.

use std::ffi::OsString;
use std::io;

use clap::Args;

use crate::Failure;
use crate::change::{self, ChangeArgs, ChangeCommand, ChangeOptions, Choice};
use crate::outcome::Outcome;

/// The rights that a user needs on a server.
const ACL: &str = "ACL SETUSER purge on >PASSWORD resetkeys ~* resetchannels -@all +ping +info +dbsize +select +cluster|slots \
                   +asking +scan +type +pttl +memory|usage +object|idletime +time +eval +unlink +hlen +hscan +hdel +llen +ltrim \
                   +scard +spop +zcard +zremrangebyrank +xlen +xtrim";

/// Remove keys from a server: first a plan, then its keys
///
/// Without `--yes` nothing is changed: it says which keys would be removed, and `--plan FILE` lists them. With `--plan
/// FILE --yes` each of those keys is removed, unless it has changed or was used since the plan was made. To repeat the
/// command is safe.
#[derive(Args)]
// Here `--key` names a key of the server.
#[command(mut_arg("key", |arg| arg.visible_alias(None)))]
pub(crate) struct PurgeArgs {
    /// Keys of this declaration: `NAME` or `package::module::NAME`
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
    /// Also keys that were used in the last seconds, or without a known last use; with `--yes`, since the plan too
    #[arg(long)]
    without_last_use: bool,
    #[command(flatten)]
    change: ChangeArgs,
}

pub(crate) fn run(args: PurgeArgs, out: &mut dyn io::Write) -> Result<Outcome, Failure> {
    if args.change.acl {
        writeln!(out, "{ACL}")?;
        anstream::eprintln!("note: all after `+unlink` is for `--stepwise`, and `+asking` for clusters");
        return Ok(Outcome::Fine);
    }
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
    change::run(ChangeCommand::Purge, &args.change, choice, options, out)
}
