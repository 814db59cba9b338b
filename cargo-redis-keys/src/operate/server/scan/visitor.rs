//! The visitor of a scan, and its view of a key.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Failure;
use crate::declare::redis_type::RedisType;
use crate::operate::server::facts::Facts;
use crate::operate::server::schemas::Schemas;
use crate::operate::stats::ValueForms;

/// Decides which keys of a scan get a second look, and counts or collects them. It can see a key twice.
pub(crate) trait Visitor: Send + Sync + 'static {
    /// The counts of one node. The resume file contains them.
    type Counts: Default + Serialize + DeserializeOwned + Send;

    /// The help for a scan that was interrupted and has no resume file.
    const WITHOUT_RESUME: Option<&'static str> = None;

    /// Whether a scan that ends early returns its results so far.
    const IS_USEFUL_IN_PART: bool = false;

    /// Whether a scan fails that may not use `TYPE`.
    const NEEDS_TYPES: bool = true;

    /// The declarations that keys are compared with.
    fn schemas(&self) -> &Schemas;

    /// The commands to use on a server.
    fn probes(&self, facts: &Facts) -> Probes;

    /// A node's counts before its first key.
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
    /// Whether to find out if strings that should be hyperloglogs are hyperloglogs.
    pub(crate) hyperloglog: bool,
    /// The forms of some values.
    pub(crate) values: bool,
    /// The keys that the server has found hot.
    pub(crate) hot_keys: bool,
}

/// The first look at a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstLook<'k> {
    pub(crate) key: &'k [u8],
    /// The index of the declaration that can produce it.
    pub(crate) declaration: Option<usize>,
    pub(crate) redis_type: RedisType,
    pub(crate) expiry: Expiry,
    /// The memory in bytes, with all overhead. `None` if `MEMORY USAGE` is refused.
    pub(crate) memory: Option<u64>,
}

/// The second look at a key, each part where it was asked for and the key still had its type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SecondLook {
    /// The size of a string in bytes, or the number of elements.
    pub(crate) length: Option<u64>,
    /// The internal encoding, such as `listpack`.
    pub(crate) encoding: Option<String>,
    /// The logarithmic access counter of an LFU policy.
    pub(crate) frequency: Option<u64>,
    /// The size of the largest member, field or value in one bounded page of members.
    pub(crate) largest_member: Option<u64>,
    /// The seconds since it was used last.
    pub(crate) idle: Option<u64>,
    /// Whether it vanished since the first look, if this was asked for.
    pub(crate) is_gone: bool,
    /// The time of the last use, in Unix seconds.
    pub(crate) last_use: Option<u64>,
    /// The digest of its value, or the last id of a stream, if it was asked for.
    pub(crate) digest: Option<String>,
    /// The expiry at the time of the second look, if it was asked for.
    pub(crate) expiry: Option<Expiry>,
    /// The server's time, in milliseconds since 1970, if it was asked for.
    pub(crate) now_ms: Option<u64>,
    /// Whether a string that should be a hyperloglog is a hyperloglog.
    pub(crate) is_hyperloglog: Option<bool>,
    /// The forms of some of its values.
    pub(crate) values: ValueForms,
}

/// The expiry of a key on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiry {
    /// It never expires.
    Never,
    /// It expires in this many milliseconds.
    In(u64),
}

impl Expiry {
    /// The expiry with this time to live in milliseconds. `None` if the key never expires.
    pub(crate) fn of(ttl_ms: Option<u64>) -> Self {
        ttl_ms.map_or(Self::Never, Self::In)
    }

    /// The time to live in milliseconds. `None` if the key never expires.
    pub(crate) fn ttl_ms(self) -> Option<u64> {
        match self {
            Self::Never => None,
            Self::In(ttl_ms) => Some(ttl_ms),
        }
    }
}
