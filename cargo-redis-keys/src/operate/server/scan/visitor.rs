//! The visitor of a scan.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::look::{FirstLook, SecondLook};
use crate::Failure;
use crate::operate::server::facts::Facts;
use crate::operate::server::schemas::Schemas;

/// Decides which keys of a scan get a second look, and counts or collects them. It can see a key twice.
pub(crate) trait Visitor: Send + Sync + 'static {
    /// The counts of one node. The resume file contains them.
    type Counts: Default + Serialize + DeserializeOwned + Send;

    /// The help for a scan that was interrupted and has no resume file.
    const WITHOUT_RESUME: Option<&'static str> = None;

    /// Whether a scan that ends early returns what it has seen so far.
    const IS_USEFUL_IN_PART: bool = false;

    /// Whether a scan fails that may not use `TYPE`.
    const NEEDS_TYPES: bool = true;

    /// The declarations that keys are compared with.
    fn schemas(&self) -> &Schemas;

    /// The commands to use on a server.
    fn probes(&self, facts: &Facts) -> Probes;

    /// The counts of a node before its first key.
    fn counts(&self, _facts: &Facts) -> Self::Counts {
        Self::Counts::default()
    }

    /// Takes the first look at a key. Returns whether it gets a second look.
    fn first_look(&self, counts: &mut Self::Counts, look: &FirstLook<'_>) -> bool;

    /// Takes the second look at a key of the node with this address.
    fn second_look(
        &self,
        counts: &mut Self::Counts,
        node: &str,
        look: &FirstLook<'_>,
        second: &SecondLook,
    ) -> Result<(), Failure>;
}

/// The commands to use on a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a command of its own")]
pub(crate) struct Probes {
    pub(crate) memory: bool,
    pub(crate) length: bool,
    pub(crate) encoding: bool,
    pub(crate) frequency: bool,
    pub(crate) members: bool,
    pub(crate) idle_time: bool,
    pub(crate) last_use: bool,
    /// The digests of values, if the server can read them without a use.
    pub(crate) digest: bool,
    /// Whether strings that should be hyperloglogs are ones.
    pub(crate) hyperloglog: bool,
    /// The forms of some values.
    pub(crate) values: bool,
    /// The keys that the server has found hot.
    pub(crate) hot_keys: bool,
}
