//! Arguments that `purge`, `expire` and `move` have in common.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::declare::{Declarations, namespace};
use crate::operate::server::connection::ConnectionArgs;
use crate::operate::server::scan::{PaceArgs, ScanArgs};

/// The change of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ChangeCommand {
    /// They are removed.
    Purge,
    /// They get an expiry.
    Expire,
    /// They are renamed to the name in use.
    Move,
}

impl ChangeCommand {
    /// The name of the command.
    pub(super) fn name(self) -> &'static str {
        self.pick("purge", "expire", "move")
    }

    /// One of three values, by the command.
    pub(super) fn pick<T>(self, purge: T, expire: T, rename: T) -> T {
        match self {
            Self::Purge => purge,
            Self::Expire => expire,
            Self::Move => rename,
        }
    }
}

/// Arguments that `purge`, `expire` and `move` have in common.
#[derive(Args, Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(crate) struct ChangeArgs {
    /// `redis://HOST:PORT/DB`, `rediss://…` or `unix:///PATH`; of a cluster, one node
    #[arg(value_name = "URL", required_unless_present = "acl")]
    pub(crate) url: Option<String>,
    /// Plan: written to a new file without `--yes`, carried out with it
    #[arg(long, value_name = "FILE")]
    pub(crate) plan: Option<PathBuf>,
    /// Change the keys of the plan that are still as planned
    #[arg(long)]
    pub(crate) yes: bool,
    /// Only keys that match this pattern, as in `KEYS`
    #[arg(long = "match", value_name = "GLOB", help_heading = "Keys")]
    pub(crate) pattern: Option<String>,
    /// Namespace of the keys; without `--match`, reads only its keys
    #[arg(long, value_name = "NAME", value_parser = namespace, help_heading = "Keys")]
    pub(crate) namespace: Option<String>,
    /// Prefix that programs set for legacy texts
    #[arg(long, value_name = "TEXT", help_heading = "Keys")]
    pub(crate) legacy_prefix: Option<String>,
    /// Show real keys, which can contain tokens and names
    #[arg(long)]
    pub(crate) show_keys: bool,
    /// Write the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the ACL rule for a user that may run this
    #[arg(long)]
    pub(crate) acl: bool,
    #[command(flatten)]
    pub(crate) pace: PaceArgs,
    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
    #[command(flatten)]
    pub(crate) declarations: Declarations,
}

impl ChangeArgs {
    /// The arguments of the scan.
    pub(super) fn scan(&self) -> ScanArgs {
        ScanArgs { pattern: self.pattern.clone(), pace: self.pace.clone(), ..ScanArgs::default() }
    }
}
