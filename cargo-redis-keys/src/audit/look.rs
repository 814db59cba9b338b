//! What is asked about a key.

use serde::{Deserialize, Serialize};

/// What the first look at a key found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FirstLook<'k> {
    /// The key.
    pub(crate) key: &'k [u8],
    /// Its type, as `TYPE` returns it.
    pub(crate) redis_type: RedisType,
    /// Its expiry.
    pub(crate) expiry: Expiry,
    /// Its memory in bytes, with all overhead. `None` if `MEMORY USAGE` is refused.
    pub(crate) memory: Option<u64>,
    /// Its slot, on a cluster.
    pub(crate) slot: Option<u16>,
}

/// What the second look at a key found, each part where it was asked for and the key still had its type.
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
    /// How many seconds it was not used.
    pub(crate) idle: Option<u64>,
    /// Whether it vanished since the first look, if this was asked for.
    pub(crate) is_gone: bool,
    /// When it was used last, in Unix seconds.
    pub(crate) last_use: Option<u64>,
    /// Whether a string that should be a hyperloglog is one.
    pub(crate) is_hyperloglog: Option<bool>,
}

/// The type of a key on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RedisType {
    /// Strings, bitmaps and hyperloglogs.
    String,
    /// Hashes.
    Hash,
    /// Lists.
    List,
    /// Sets.
    Set,
    /// Sorted sets and geo.
    ZSet,
    /// Streams.
    Stream,
    /// A type of a server module.
    Other,
}

/// The expiry of a key on the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiry {
    /// It never expires.
    Never,
    /// It expires in this many milliseconds.
    In(u64),
}
