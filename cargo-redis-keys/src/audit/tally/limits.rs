//! What a declaration allows, and what is allowed without one.

use std::time::SystemTime;

use redis_keys_schema::{Kind, limits};

use super::calendar::BucketPlace;
use crate::audit::look::RedisType;
use crate::catalogue::Key;

/// A stream that keeps about so many entries may have one node more of them.
const STREAM_NODE_ENTRIES: u64 = 100;

/// How much the clocks of this machine and of the server may differ.
const CLOCK_MS: u128 = 60_000;

/// The time of a push and a random number, which precede a job.
const JOB_PREFIX_BYTES: u64 = 18;

/// What a declaration allows, or what is allowed without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The type of the key on the server.
    pub(crate) redis_type: RedisType,
    /// Whether it is a hyperloglog, whose type is that of strings.
    pub(crate) is_hyperloglog: bool,
    /// The longest time that it can still live. `None` if it needs no expiry.
    pub(crate) lifetime_ms: Option<u64>,
    /// Where the calendar bucket is, from whose end the expiry counts.
    pub(crate) bucket: Option<BucketPlace>,
    /// The most bytes of a string.
    pub(crate) max_bytes: Option<u64>,
    /// The most elements of a collection.
    pub(crate) max_len: Option<u64>,
    /// The most bytes of an element.
    pub(crate) max_member_bytes: Option<u64>,
}

impl Limits {
    /// What a declaration allows.
    pub(crate) fn of(key: &Key) -> Self {
        let kind = Kind::from_name(&key.kind);
        let stream_slack = if key.keep_about { STREAM_NODE_ENTRIES } else { 0 };
        let kept = key.keep_last.map(|kept| kept.saturating_add(stream_slack)).or(key.keep_top);
        let prefix = if key.pattern.as_deref() == Some("jobs") { JOB_PREFIX_BYTES } else { 0 };
        let bucket = key.ttl_from_end_of.as_ref();
        Self {
            redis_type: RedisType::of(kind),
            is_hyperloglog: kind == Some(Kind::HyperLogLog),
            lifetime_ms: key.ttl_ms.map(|ttl| ttl.saturating_add(key.jitter_ms)),
            bucket: bucket.and_then(|name| BucketPlace::find(&key.template, name)),
            max_bytes: key.max_bytes,
            max_len: key.max_len.or(kept),
            max_member_bytes: key.max_member_bytes.map(|bytes| bytes.saturating_add(prefix)),
        }
    }

    /// What is allowed without a declaration.
    pub(crate) fn default_of(redis_type: RedisType) -> Self {
        let is_collection = !matches!(redis_type, RedisType::String | RedisType::Other);
        Self {
            redis_type,
            is_hyperloglog: false,
            // No longest one, but it must expire.
            lifetime_ms: Some(u64::MAX),
            bucket: None,
            max_bytes: (redis_type == RedisType::String).then_some(limits::DEFAULT_MAX_BYTES),
            max_len: match redis_type {
                // A log that is read in parts.
                RedisType::Stream => Some(limits::MAX_STREAM_KEEP_LAST),
                _ => is_collection.then_some(limits::MAX_MAX_LEN),
            },
            max_member_bytes: is_collection.then_some(limits::DEFAULT_MAX_MEMBER_BYTES),
        }
    }

    /// Whether a key that expires in `left` milliseconds lives too long.
    pub(crate) fn is_too_long(&self, key: &[u8], left: u64, now: fn() -> SystemTime) -> bool {
        let Some(lifetime) = self.lifetime_ms.filter(|lifetime| left > *lifetime) else { return false };
        // The expiry counts from the end of the bucket, which can be in the future.
        match self.bucket.map(|place| place.end(key)) {
            None => true,
            Some(None) => false,
            Some(Some(end)) => {
                let until_end = end.duration_since(now()).unwrap_or_default().as_millis();
                u128::from(left) > until_end + u128::from(lifetime) + CLOCK_MS
            }
        }
    }
}

impl RedisType {
    /// All types, in the order of their numbers.
    pub(crate) const ALL: [Self; 7] =
        [Self::String, Self::Hash, Self::List, Self::Set, Self::ZSet, Self::Stream, Self::Other];

    fn of(kind: Option<Kind>) -> Self {
        match kind {
            Some(Kind::String | Kind::Bitmap | Kind::HyperLogLog) => Self::String,
            Some(Kind::Hash) => Self::Hash,
            Some(Kind::List) => Self::List,
            Some(Kind::Set) => Self::Set,
            Some(Kind::ZSet | Kind::Geo) => Self::ZSet,
            Some(Kind::Stream) => Self::Stream,
            _ => Self::Other,
        }
    }

    /// Whether a key of this type can be one of this kind.
    pub(crate) fn is(self, kind: Kind) -> bool {
        self == Self::of(Some(kind))
    }

    /// The name, as in `TYPE`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Hash => "hash",
            Self::List => "list",
            Self::Set => "set",
            Self::ZSet => "zset",
            Self::Stream => "stream",
            Self::Other => "other",
        }
    }
}
