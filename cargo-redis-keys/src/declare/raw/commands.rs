//! The commands of Redis that name keys, and the methods of clients that send them.

use crate::declare::redis_type::RedisType;

/// The effect of a command on its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Effect {
    /// It reads.
    Read,
    /// It changes or removes a key, or its expiry.
    Change,
    /// It can create a key.
    Create,
}

/// The arguments of a command that are keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// The first argument.
    First,
    /// The second one, behind a subcommand.
    Second,
    /// The first two.
    FirstTwo,
    /// All of them.
    All,
    /// Every second one: keys and values.
    Pairs,
    /// The first half of those behind `STREAMS`.
    AfterStreams,
    /// As many as the second argument says, behind it.
    Counted,
}

/// The expiry of a key that a command creates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expiry {
    /// It sets none.
    None,
    /// It always sets one.
    Always,
    /// It sets one if an argument such as `EX` says so.
    Option,
    /// It sets the expiry of a key that exists.
    OfExisting,
}

/// A command that names keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) name: &'static str,
    pub(super) effect: Effect,
    pub(super) keys: Keys,
    pub(super) expiry: Expiry,
    /// The type of the key that it creates or expects.
    pub(super) redis_type: Option<RedisType>,
}

impl Command {
    /// The command of a name, in whatever case.
    pub(super) fn of_name(name: &str) -> Option<Self> {
        let name = name.split_whitespace().next()?.to_ascii_uppercase();
        TABLE.iter().find_map(|(effect, redis_type, names)| {
            let found = names.split_whitespace().find(|known| **known == name)?;
            let (effect, redis_type) = (*effect, *redis_type);
            Some(Self { name: found, effect, redis_type, keys: keys_of(found), expiry: expiry_of(found) })
        })
    }
}

use Effect::{Change, Create, Read};
use RedisType::{Hash, List, Other, Set, Stream, String, ZSet};

/// The effect, the type, and the commands that have both.
const TABLE: &[(Effect, Option<RedisType>, &str)] = &[
    (
        Create,
        Some(String),
        "SET SETEX PSETEX SETNX MSET MSETNX MSETEX GETSET APPEND INCR INCRBY INCRBYFLOAT DECR DECRBY SETRANGE SETBIT \
         BITFIELD BITOP PFADD PFMERGE",
    ),
    (Change, Some(String), "GETDEL GETEX"),
    (Read, Some(String), "GET MGET GETRANGE SUBSTR STRLEN GETBIT BITCOUNT BITPOS BITFIELD_RO LCS PFCOUNT"),
    (Create, Some(Hash), "HSET HMSET HSETNX HSETEX HINCRBY HINCRBYFLOAT"),
    (Change, Some(Hash), "HDEL HGETDEL HGETEX HEXPIRE HPEXPIRE HEXPIREAT HPEXPIREAT HPERSIST"),
    (
        Read,
        Some(Hash),
        "HGET HMGET HGETALL HKEYS HVALS HLEN HEXISTS HSTRLEN HRANDFIELD HSCAN HTTL HPTTL HEXPIRETIME HPEXPIRETIME",
    ),
    (Create, Some(List), "LPUSH RPUSH LMOVE BLMOVE RPOPLPUSH BRPOPLPUSH"),
    (Change, Some(List), "LPUSHX RPUSHX LINSERT LSET LREM LTRIM LPOP RPOP BLPOP BRPOP LMPOP"),
    (Read, Some(List), "LRANGE LLEN LINDEX LPOS"),
    (Create, Some(Set), "SADD SMOVE SDIFFSTORE SINTERSTORE SUNIONSTORE"),
    (Change, Some(Set), "SREM SPOP"),
    (Read, Some(Set), "SMEMBERS SISMEMBER SMISMEMBER SCARD SRANDMEMBER SSCAN SDIFF SINTER SUNION"),
    (Create, Some(ZSet), "ZADD ZINCRBY ZRANGESTORE ZDIFFSTORE ZINTERSTORE ZUNIONSTORE GEOADD GEOSEARCHSTORE"),
    (Change, Some(ZSet), "ZREM ZREMRANGEBYSCORE ZREMRANGEBYRANK ZREMRANGEBYLEX ZPOPMIN ZPOPMAX BZPOPMIN BZPOPMAX"),
    (
        Read,
        Some(ZSet),
        "ZRANGE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX ZSCORE ZMSCORE ZCARD ZCOUNT \
         ZLEXCOUNT ZRANK ZREVRANK ZRANDMEMBER ZSCAN GEOPOS GEODIST GEOHASH GEOSEARCH GEORADIUS GEORADIUSBYMEMBER",
    ),
    (Create, Some(Stream), "XADD XGROUP"),
    (Change, Some(Stream), "XDEL XTRIM XACK XACKDEL XCLAIM XAUTOCLAIM XSETID XREADGROUP"),
    (Read, Some(Stream), "XLEN XRANGE XREVRANGE XREAD XPENDING XINFO"),
    (Create, Some(Other), "JSON.SET JSON.MSET BF.ADD BF.RESERVE CF.ADD TS.ADD TS.CREATE TOPK.ADD"),
    (Change, Some(Other), "JSON.DEL JSON.ARRAPPEND JSON.NUMINCRBY"),
    (Read, Some(Other), "JSON.GET JSON.MGET JSON.TYPE BF.EXISTS CF.EXISTS TS.GET TS.RANGE"),
    (Create, None, "RENAME RENAMENX COPY RESTORE SORT EVAL EVALSHA FCALL"),
    (Change, None, "DEL UNLINK EXPIRE PEXPIRE EXPIREAT PEXPIREAT PERSIST MOVE MIGRATE"),
    (
        Read,
        None,
        "EXISTS TTL PTTL EXPIRETIME PEXPIRETIME TYPE TOUCH DUMP OBJECT WATCH EVAL_RO EVALSHA_RO FCALL_RO SORT_RO",
    ),
];

fn keys_of(command: &str) -> Keys {
    match command {
        "XGROUP" | "XINFO" | "OBJECT" | "BITOP" => Keys::Second,
        "RENAME" | "RENAMENX" | "COPY" | "SMOVE" | "LMOVE" | "BLMOVE" | "RPOPLPUSH" | "BRPOPLPUSH" => Keys::FirstTwo,
        "DEL" | "UNLINK" | "EXISTS" | "TOUCH" | "WATCH" | "MGET" | "PFCOUNT" | "PFMERGE" | "SDIFF" | "SINTER"
        | "SUNION" | "SDIFFSTORE" | "SINTERSTORE" | "SUNIONSTORE" => Keys::All,
        "MSET" | "MSETNX" => Keys::Pairs,
        "XREAD" | "XREADGROUP" => Keys::AfterStreams,
        "EVAL" | "EVALSHA" | "FCALL" | "EVAL_RO" | "EVALSHA_RO" | "FCALL_RO" => Keys::Counted,
        _ => Keys::First,
    }
}

fn expiry_of(command: &str) -> Expiry {
    match command {
        "SETEX" | "PSETEX" | "RESTORE" => Expiry::Always,
        "SET" | "MSETEX" => Expiry::Option,
        "EXPIRE" | "PEXPIRE" | "EXPIREAT" | "PEXPIREAT" | "GETEX" => Expiry::OfExisting,
        _ => Expiry::None,
    }
}

/// The arguments of `SET` and of `GETEX` that set an expiry.
pub(super) const EXPIRY_OPTIONS: [&str; 4] = ["EX", "PX", "EXAT", "PXAT"];

/// The command that a method of redis-rs with this number of arguments sends.
pub(super) fn of_method(method: &str, arguments: usize) -> Option<Command> {
    let (_, _, command) = METHODS.iter().find(|(name, counts, _)| *name == method && counts.contains(&arguments))?;
    Command::of_name(command)
}

/// The command that a method of fred sends. It is not known by the number of its arguments.
pub(super) fn of_fred_method(method: &str) -> Option<Command> {
    let command = match method {
        "incr_by" => "INCRBY",
        "decr_by" => "DECRBY",
        "incr_by_float" => "INCRBYFLOAT",
        "expire_at" => "EXPIREAT",
        "set_with_options" => "SET",
        "hincrby" | "zincrby" => method,
        _ if method.contains('_') => return None,
        _ => method,
    };
    Command::of_name(command)
}

/// Whether collections and other types have a method of the same name and number of arguments.
pub(super) fn is_ambiguous(method: &str) -> bool {
    const NAMES: [&str; 27] = [
        "get",
        "set",
        "del",
        "exists",
        "append",
        "rename",
        "copy",
        "ttl",
        "touch",
        "incr",
        "decr",
        "expire",
        "persist",
        "key_type",
        "unlink",
        "mget",
        "mset",
        "req_command",
        "getset",
        "sort",
        "object_encoding",
        "expire_at",
        "set_nx",
        "get_del",
        "get_ex",
        "exists_many",
        "dump",
    ];
    NAMES.contains(&method)
}

/// The methods of `Commands`, `AsyncCommands`, `Pipeline` and `Cmd` of redis-rs: the name, the numbers of arguments,
/// and the command. A method that is called as its command is there as well, since its arguments are counted.
const METHODS: &[(&str, &[usize], &str)] = &[
    ("get", &[1], "GET"),
    ("mget", &[1], "MGET"),
    ("set", &[2], "SET"),
    ("set_options", &[3], "SET"),
    ("mset", &[1], "MSET"),
    ("set_multiple", &[1], "MSET"),
    ("set_ex", &[3], "SETEX"),
    ("pset_ex", &[3], "PSETEX"),
    ("set_nx", &[2], "SETNX"),
    ("mset_nx", &[1], "MSETNX"),
    ("mset_ex", &[2], "MSETEX"),
    ("getset", &[2], "GETSET"),
    ("getrange", &[3], "GETRANGE"),
    ("setrange", &[3], "SETRANGE"),
    ("get_del", &[1], "GETDEL"),
    ("get_ex", &[2], "GETEX"),
    ("append", &[2], "APPEND"),
    ("incr", &[2], "INCRBY"),
    ("decr", &[2], "DECRBY"),
    ("setbit", &[3], "SETBIT"),
    ("getbit", &[2], "GETBIT"),
    ("bitcount", &[1], "BITCOUNT"),
    ("bitcount_range", &[3], "BITCOUNT"),
    ("strlen", &[1], "STRLEN"),
    ("del", &[1], "DEL"),
    ("unlink", &[1], "UNLINK"),
    ("exists", &[1], "EXISTS"),
    ("key_type", &[1], "TYPE"),
    ("expire", &[2], "EXPIRE"),
    ("pexpire", &[2], "PEXPIRE"),
    ("expire_at", &[2], "EXPIREAT"),
    ("pexpire_at", &[2], "PEXPIREAT"),
    ("expire_time", &[1], "EXPIRETIME"),
    ("persist", &[1], "PERSIST"),
    ("ttl", &[1], "TTL"),
    ("pttl", &[1], "PTTL"),
    ("rename", &[2], "RENAME"),
    ("rename_nx", &[2], "RENAMENX"),
    ("copy", &[3], "COPY"),
    ("hget", &[2], "HGET"),
    ("hmget", &[2], "HMGET"),
    ("hget_ex", &[3], "HGETEX"),
    ("hget_del", &[2], "HGETDEL"),
    ("hdel", &[2], "HDEL"),
    ("hset", &[3], "HSET"),
    ("hset_nx", &[3], "HSETNX"),
    ("hset_ex", &[3], "HSETEX"),
    ("hset_multiple", &[2], "HSET"),
    ("hincr", &[3], "HINCRBY"),
    ("hexists", &[2], "HEXISTS"),
    ("hexpire", &[4], "HEXPIRE"),
    ("httl", &[2], "HTTL"),
    ("hkeys", &[1], "HKEYS"),
    ("hvals", &[1], "HVALS"),
    ("hgetall", &[1], "HGETALL"),
    ("hlen", &[1], "HLEN"),
    ("hscan", &[1], "HSCAN"),
    ("hscan_match", &[2], "HSCAN"),
    ("blmove", &[5], "BLMOVE"),
    ("blpop", &[2], "BLPOP"),
    ("brpop", &[2], "BRPOP"),
    ("brpoplpush", &[3], "BRPOPLPUSH"),
    ("lindex", &[2], "LINDEX"),
    ("linsert_before", &[3], "LINSERT"),
    ("linsert_after", &[3], "LINSERT"),
    ("llen", &[1], "LLEN"),
    ("lmove", &[4], "LMOVE"),
    ("lpop", &[2], "LPOP"),
    ("lpos", &[3], "LPOS"),
    ("lpush", &[2], "LPUSH"),
    ("lpush_exists", &[2], "LPUSHX"),
    ("lrange", &[3], "LRANGE"),
    ("lrem", &[3], "LREM"),
    ("ltrim", &[3], "LTRIM"),
    ("lset", &[3], "LSET"),
    ("rpop", &[2], "RPOP"),
    ("rpoplpush", &[2], "RPOPLPUSH"),
    ("rpush", &[2], "RPUSH"),
    ("rpush_exists", &[2], "RPUSHX"),
    ("sadd", &[2], "SADD"),
    ("scard", &[1], "SCARD"),
    ("sdiff", &[1], "SDIFF"),
    ("sdiffstore", &[2], "SDIFFSTORE"),
    ("sinter", &[1], "SINTER"),
    ("sinterstore", &[2], "SINTERSTORE"),
    ("sismember", &[2], "SISMEMBER"),
    ("smismember", &[2], "SMISMEMBER"),
    ("smembers", &[1], "SMEMBERS"),
    ("smove", &[3], "SMOVE"),
    ("spop", &[1], "SPOP"),
    ("srandmember", &[1], "SRANDMEMBER"),
    ("srandmember_multiple", &[2], "SRANDMEMBER"),
    ("srem", &[2], "SREM"),
    ("sunion", &[1], "SUNION"),
    ("sunionstore", &[2], "SUNIONSTORE"),
    ("sscan", &[1], "SSCAN"),
    ("sscan_match", &[2], "SSCAN"),
    ("zadd", &[3], "ZADD"),
    ("zadd_options", &[4], "ZADD"),
    ("zadd_multiple", &[2], "ZADD"),
    ("zadd_multiple_options", &[3], "ZADD"),
    ("zcard", &[1], "ZCARD"),
    ("zcount", &[3], "ZCOUNT"),
    ("zincr", &[3], "ZINCRBY"),
    ("zinterstore", &[2], "ZINTERSTORE"),
    ("zlexcount", &[3], "ZLEXCOUNT"),
    ("bzpopmax", &[2], "BZPOPMAX"),
    ("bzpopmin", &[2], "BZPOPMIN"),
    ("zpopmax", &[2], "ZPOPMAX"),
    ("zpopmin", &[2], "ZPOPMIN"),
    ("zrandmember", &[2], "ZRANDMEMBER"),
    ("zrange", &[3], "ZRANGE"),
    ("zrange_withscores", &[3], "ZRANGE"),
    ("zrangebylex", &[3], "ZRANGEBYLEX"),
    ("zrangebyscore", &[3], "ZRANGEBYSCORE"),
    ("zrangebyscore_withscores", &[3], "ZRANGEBYSCORE"),
    ("zrangebyscore_limit", &[5], "ZRANGEBYSCORE"),
    ("zrangebyscore_limit_withscores", &[5], "ZRANGEBYSCORE"),
    ("zrank", &[2], "ZRANK"),
    ("zrem", &[2], "ZREM"),
    ("zrembylex", &[3], "ZREMRANGEBYLEX"),
    ("zremrangebyrank", &[3], "ZREMRANGEBYRANK"),
    ("zrembyscore", &[3], "ZREMRANGEBYSCORE"),
    ("zrevrange", &[3], "ZREVRANGE"),
    ("zrevrange_withscores", &[3], "ZREVRANGE"),
    ("zrevrangebyscore", &[3], "ZREVRANGEBYSCORE"),
    ("zrevrangebyscore_withscores", &[3], "ZREVRANGEBYSCORE"),
    ("zrevrangebyscore_limit", &[5], "ZREVRANGEBYSCORE"),
    ("zrevrank", &[2], "ZREVRANK"),
    ("zscore", &[2], "ZSCORE"),
    ("zscore_multiple", &[2], "ZMSCORE"),
    ("zunionstore", &[2], "ZUNIONSTORE"),
    ("zscan", &[1], "ZSCAN"),
    ("zscan_match", &[2], "ZSCAN"),
    ("pfadd", &[2], "PFADD"),
    ("pfcount", &[1], "PFCOUNT"),
    ("pfmerge", &[2], "PFMERGE"),
    ("geo_add", &[2], "GEOADD"),
    ("geo_dist", &[4], "GEODIST"),
    ("geo_pos", &[2], "GEOPOS"),
    ("geo_radius", &[5], "GEORADIUS"),
    ("xack", &[3], "XACK"),
    ("xadd", &[3], "XADD"),
    ("xadd_map", &[3], "XADD"),
    ("xadd_options", &[4], "XADD"),
    ("xadd_maxlen", &[4], "XADD"),
    ("xadd_maxlen_map", &[4], "XADD"),
    ("xclaim", &[5], "XCLAIM"),
    ("xclaim_options", &[6], "XCLAIM"),
    ("xautoclaim_options", &[6], "XAUTOCLAIM"),
    ("xdel", &[2], "XDEL"),
    ("xgroup_create", &[3], "XGROUP"),
    ("xgroup_create_mkstream", &[3], "XGROUP"),
    ("xgroup_destroy", &[2], "XGROUP"),
    ("xinfo_stream", &[1], "XINFO"),
    ("xinfo_groups", &[1], "XINFO"),
    ("xlen", &[1], "XLEN"),
    ("xpending", &[2], "XPENDING"),
    ("xpending_count", &[5], "XPENDING"),
    ("xrange", &[3], "XRANGE"),
    ("xrange_all", &[1], "XRANGE"),
    ("xrange_count", &[4], "XRANGE"),
    ("xread", &[2], "XREAD"),
    ("xread_options", &[3], "XREAD"),
    ("xrevrange", &[3], "XREVRANGE"),
    ("xrevrange_count", &[4], "XREVRANGE"),
    ("xtrim", &[2], "XTRIM"),
    ("object_encoding", &[1], "OBJECT"),
    ("json_set", &[3], "JSON.SET"),
    ("json_get", &[2], "JSON.GET"),
    ("json_del", &[2], "JSON.DEL"),
];

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn each_method_sends_a_known_command() {
        for (method, _, command) in METHODS {
            assert!(Command::of_name(command).is_some(), "{method}");
        }
    }

    #[test]
    fn a_method_is_known_by_the_number_of_its_arguments() {
        assert_eq!(of_method("set", 2).unwrap().name, "SET");
        assert_eq!(of_method("set", 1), None);
        assert_eq!(of_method("insert", 2), None);
        assert_eq!(of_fred_method("incr_by").unwrap().name, "INCRBY");
        assert_eq!(of_fred_method("as_str"), None);
    }

    #[test]
    fn no_command_is_there_twice() {
        let mut names: Vec<_> = TABLE.iter().flat_map(|(_, _, names)| names.split_whitespace()).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        assert_eq!(Command::of_name("hset").unwrap().effect, Effect::Create);
        assert_eq!(Command::of_name("PING"), None);
        assert_eq!(Command::of_name(""), None);
    }
}
