//! The names of all accessors and of outcomes, as reports call them.

#![cfg_attr(
    not(any(feature = "metrics", feature = "tracing")),
    allow(clippy::unused_self, reason = "nothing is reported")
)]

/// The accessor that has built a command. Commands that are only steps of another call have none.
///
/// It is a small number, since every command carries it: an index into the table, and whether the accessor reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Accessor {
    #[cfg(any(feature = "metrics", feature = "tracing"))]
    bits: u16,
}

/// The bit of accessors that read, and so can find nothing.
#[cfg(any(feature = "metrics", feature = "tracing"))]
const READS: u16 = 1 << 15;

/// The accessor of a name, looked up by the compiler.
macro_rules! accessor {
    ($name:literal) => {
        const { $crate::accessor::Accessor::of($name) }
    };
}

pub(crate) use accessor;

impl Accessor {
    /// Fails the build if the table does not have the name.
    #[allow(clippy::panic, reason = "at compile time a panic is the error message")]
    pub(crate) const fn of(name: &str) -> Self {
        let mut position = 1;
        while position < NAMES.len() {
            if is_same(NAMES[position].as_bytes(), name.as_bytes()) {
                return Self {
                    #[cfg(any(feature = "metrics", feature = "tracing"))]
                    #[allow(clippy::cast_possible_truncation, reason = "the table is short")]
                    bits: position as u16,
                };
            }
            position += 1;
        }
        panic!("add the accessor to the table")
    }

    /// The accessor as one that reads.
    #[inline]
    pub(crate) const fn that_reads(self) -> Self {
        Self {
            #[cfg(any(feature = "metrics", feature = "tracing"))]
            bits: self.bits | READS,
        }
    }

    #[cfg(feature = "metrics")]
    #[inline]
    pub(crate) fn reads(self) -> bool {
        self.bits & READS != 0
    }

    #[cfg(any(feature = "metrics", feature = "tracing"))]
    #[inline]
    pub(crate) fn name(self) -> &'static str {
        NAMES.get(usize::from(self.bits & !READS)).copied().unwrap_or_default()
    }

    /// Whether it is only a step of another call.
    #[cfg(any(feature = "metrics", feature = "tracing"))]
    #[inline]
    pub(crate) fn is_step(self) -> bool {
        self.bits == 0
    }
}

/// The outcome of a call.
#[cfg_attr(not(feature = "metrics"), allow(dead_code, reason = "nothing is counted"))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    Ok,
    /// A read, or an accessor that removes and returns an element, has found nothing.
    Absent,
    /// A value or a parameter breaks a rule. Nothing was sent, or nothing that changes the key.
    Rejected,
    /// The server could not be reached, or replied with an error or an unexpected reply.
    Failed,
    /// The command may have been sent, and there is no reply.
    Unknown,
}

#[cfg(feature = "metrics")]
impl Outcome {
    pub(crate) const ALL: [Self; 5] = [Self::Ok, Self::Absent, Self::Rejected, Self::Failed, Self::Unknown];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Absent => "absent",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}

const fn is_same(left: &[u8], right: &[u8]) -> bool {
    if left.len() != right.len() {
        return false;
    }
    let mut position = 0;
    while position < left.len() {
        if left[position] != right[position] {
            return false;
        }
        position += 1;
    }
    true
}

pub(crate) const NAMES: [&str; 182] = [
    "",
    "abandon",
    "ack",
    "ack_many",
    "acquire",
    "add",
    "add_many",
    "append",
    "begin",
    "bitcount",
    "bitcount_range",
    "bitfield",
    "bitpos",
    "bitpos_range",
    "blmove",
    "blpop",
    "brpop",
    "bury",
    "bzpopmax",
    "bzpopmin",
    "claim",
    "claim_refresh",
    "consumers",
    "counts",
    "create",
    "dead",
    "decr",
    "decr_by",
    "delete_consumer",
    "destroy",
    "entries",
    "exists",
    "expire",
    "expire_in",
    "extend",
    "fail",
    "fill",
    "finish",
    "geoadd",
    "geoadd_many",
    "geodist",
    "geohash",
    "geohash_many",
    "geopos",
    "geopos_many",
    "geosearch",
    "geosearch_by_member",
    "get",
    "get_del",
    "get_ex",
    "get_many",
    "getbit",
    "getrange",
    "hdecr",
    "hdel",
    "hdel_many",
    "hexists",
    "hexpire",
    "hget",
    "hincr",
    "hincr_by_float",
    "hlen",
    "hmget",
    "hpersist",
    "hrandfield",
    "hrandfield_many",
    "hscan",
    "hset",
    "hset_many",
    "hset_nx",
    "hstrlen",
    "httl",
    "incr",
    "incr_by",
    "incr_by_float",
    "is_held",
    "items",
    "lindex",
    "llen",
    "lmove",
    "load",
    "lpages",
    "lpop",
    "lpop_many",
    "lpos",
    "lpush",
    "lpush_many",
    "lrange",
    "lrem",
    "lset",
    "ltrim",
    "members",
    "might_contain",
    "might_contain_many",
    "pending",
    "pending_summary",
    "pfadd",
    "pfadd_many",
    "pfcount",
    "pfcount_with",
    "pfmerge",
    "publish",
    "purge",
    "push",
    "push_many",
    "read",
    "read_block",
    "read_pending",
    "release",
    "renew",
    "retry",
    "revive",
    "rpop",
    "rpop_many",
    "rpush",
    "rpush_many",
    "sadd",
    "sadd_many",
    "scan",
    "scard",
    "set",
    "set_id",
    "set_nx",
    "set_xx",
    "setbit",
    "sismember",
    "smismember",
    "spop",
    "spop_many",
    "srandmember",
    "srandmember_many",
    "srem",
    "srem_many",
    "sscan",
    "store",
    "strlen",
    "take",
    "take_over",
    "ttl",
    "unlink",
    "update",
    "xadd",
    "xdel",
    "xdel_many",
    "xlen",
    "xpages",
    "xrange",
    "xread",
    "xread_block",
    "xrevrange",
    "xtrim",
    "xtrim_about",
    "xtrim_before",
    "zadd",
    "zadd_many",
    "zcard",
    "zcount",
    "zincr",
    "zmscore",
    "zpopmax",
    "zpopmax_many",
    "zpopmin",
    "zpopmin_many",
    "zrandmember",
    "zrandmember_many",
    "zrandmember_many_withscores",
    "zrange",
    "zrange_withscores",
    "zrangebyscore",
    "zrangebyscore_withscores",
    "zrank",
    "zrem",
    "zrem_many",
    "zremrangebyrank",
    "zremrangebyscore",
    "zrevrange",
    "zrevrange_withscores",
    "zrevrangebyscore",
    "zrevrangebyscore_withscores",
    "zrevrank",
    "zscan",
    "zscore",
];
