//! The commands that the accessors of a key send: the rights that a server's user needs.
//!
//! A test compares the lists with what every accessor sends, and with what its scripts call.

use crate::Kind;
use crate::schema::{CacheOptions, Role, Schema};

/// Commands that connections send without a key or a channel, apart from those that every user may send, such as HELLO.
///
/// `TIME` is called by scripts, `DBSIZE` and `SCAN` by scans of keys, and `SELECT` for addresses with a database.
pub const WITHOUT_KEYS: &str =
    "ASKING CLIENT|SETINFO CLUSTER|NODES CLUSTER|SLOTS DBSIZE EXEC MULTI PING SCAN SELECT TIME";

/// The commands without a key that near copies need.
const NEAR: &str = "CLIENT|TRACKING";

/// The commands of every key. `TYPE` explains an error, and `DEL` is a script's second attempt at `UNLINK`.
const EVERY_KEY: &str = "DEL EVAL EVALSHA EXISTS PEXPIRE PTTL TYPE UNLINK";
const NEVER_EXPIRES: &str = "PERSIST";
const TWO_NAMES: &str = "RENAME";

const STRING: &str = "APPEND GET GETDEL GETEX GETRANGE INCRBY INCRBYFLOAT MGET PSETEX SET STRLEN";
const CACHE: &str = "GET GETRANGE MGET SET SETRANGE";
const LOCK: &str = "GET GETRANGE SET";
const LIMIT: &str = "GET SET";
const RECORD: &str = "HDEL HEXISTS HGET HINCRBY HLEN HMGET HPERSIST HPEXPIRE HPTTL HSCAN HSET HSETNX";
const HASH: &str = "HDEL HEXISTS HGET HINCRBY HINCRBYFLOAT HLEN HMGET HPERSIST HPEXPIRE HPTTL HRANDFIELD HSCAN HSET \
                    HSETNX HSTRLEN";
const LIST: &str = "BLMOVE BLPOP BRPOP LINDEX LLEN LMOVE LPOP LPOS LPUSH LRANGE LREM LSET LTRIM RPOP RPUSH";
const SET: &str = "SADD SCARD SISMEMBER SMISMEMBER SPOP SRANDMEMBER SREM SSCAN";
const ZSET: &str = "BZPOPMAX BZPOPMIN ZADD ZCARD ZCOUNT ZMSCORE ZPOPMAX ZPOPMIN ZRANDMEMBER ZRANGE ZRANGEBYSCORE ZRANK \
                    ZREM ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREVRANGE ZREVRANGEBYSCORE ZREVRANK ZSCAN ZSCORE";
const JOBS: &str = "ZADD ZCARD ZCOUNT ZMSCORE ZRANGEBYSCORE ZREM ZREMRANGEBYRANK ZSCORE";
const BITMAP: &str = "BITCOUNT BITFIELD BITFIELD_RO BITPOS GETBIT SETBIT";
const BLOOM: &str = "BITFIELD_RO GETRANGE SET SETBIT";
const HYPERLOGLOG: &str = "PFADD PFCOUNT PFMERGE";
const GEO: &str = "GEOADD GEODIST GEOHASH GEOPOS GEOSEARCH ZCARD ZREM ZREMRANGEBYRANK ZSCAN ZSCORE";
const STREAM: &str = "XACK XADD XAUTOCLAIM XDEL XGROUP|CREATE XGROUP|DELCONSUMER XGROUP|DESTROY XGROUP|SETID \
                      XINFO|CONSUMERS XLEN XPENDING XRANGE XREAD XREADGROUP XREVRANGE XTRIM";
const CHANNEL: &str = "PUBLISH SPUBLISH SSUBSCRIBE SUBSCRIBE";

/// Returns the groups of commands that the accessors of a declaration send with its keys or channels.
///
/// All declarations with a group need it together: some commands take keys of several declarations, such as `LMOVE` of
/// lists, and `EVAL` of any keys.
pub fn groups<T: AsRef<str>, P>(schema: &Schema<T, P>) -> impl Iterator<Item = &'static str> + use<T, P> {
    let is_key = schema.kind != Kind::Channel;
    let never_expires = is_key && schema.expiry.ttl().is_none();
    let has_two_names = schema.legacy.is_some() || schema.formerly.is_some();
    let of_any_type = [(is_key, EVERY_KEY), (never_expires, NEVER_EXPIRES), (has_two_names, TWO_NAMES)];
    let of_any_type = of_any_type.into_iter().filter_map(|(has, group)| has.then_some(group));
    of_any_type.chain([of_type(schema)])
}

/// Returns the commands without a key that the accessors of a declaration need.
pub fn without_keys<T: AsRef<str>, P>(schema: &Schema<T, P>) -> Option<&'static str> {
    matches!(schema.role, Some(Role::Cache(CacheOptions { near: Some(_), .. }))).then_some(NEAR)
}

fn of_type<T: AsRef<str>, P>(schema: &Schema<T, P>) -> &'static str {
    match (schema.role, schema.kind) {
        (Some(Role::Cache(_)), _) => CACHE,
        (Some(Role::Lock), _) => LOCK,
        (Some(Role::Limit(_)), _) => LIMIT,
        (Some(Role::Jobs(_)), _) => JOBS,
        (Some(Role::Bloom(_)), _) => BLOOM,
        (None, Kind::String) => STRING,
        (None, Kind::Hash) if schema.field.is_none() => RECORD,
        (None, Kind::Hash) => HASH,
        (None, Kind::List) => LIST,
        (None, Kind::Set) => SET,
        (None, Kind::ZSet) => ZSET,
        (None, Kind::Bitmap) => BITMAP,
        (None, Kind::HyperLogLog) => HYPERLOGLOG,
        (None, Kind::Geo) => GEO,
        (None, Kind::Stream) => STREAM,
        (None, Kind::Channel) => CHANNEL,
    }
}

/// Returns the first version of Redis that has a command or subcommand, if 6.2 lacks it. Valkey 7.2 to 8.1 have the
/// commands of Redis 7.2, and Valkey 9 also those of Redis 7.4.
pub fn since(command: &str) -> Option<(u8, u8)> {
    match command {
        "SPUBLISH" | "SSUBSCRIBE" => Some((7, 0)),
        "CLIENT|SETINFO" => Some((7, 2)),
        "HPERSIST" | "HPEXPIRE" | "HPTTL" => Some((7, 4)),
        _ => None,
    }
}
