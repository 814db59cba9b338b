//! What a scan sees of a key.

use crate::declare::redis_type::RedisType;
use crate::operate::stats::ValueForms;

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
    /// The time of the server, in milliseconds since 1970, if it was asked for.
    pub(crate) now_ms: Option<u64>,
    /// Whether a string that should be a hyperloglog is one.
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
