//! The table of commands: where their keys are, which commands only read, and how a cluster treats them.

use std::ops::Range;

use redis::{Cmd, RedisWrite as _};

use crate::Error;
#[cfg(feature = "cluster")]
use crate::lua;
use crate::lua::Script;
use crate::redis_rs::Words;
use crate::schema::Kind;

/// The position of a command's keys among its words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keys {
    None,
    First,
    /// Behind a subcommand.
    Second,
    /// All words after the name.
    All,
    /// After a script and the number of keys.
    Counted,
    /// Before the last word, which is the ID in the only stream.
    BeforeLast,
    /// The first word, and possibly more: not known.
    FirstOfSeveral,
}

/// The treatment of a command by a connection to a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnCluster {
    /// Goes to the node of its first key; without a key, to any node.
    Routed,
    /// Would answer for a single node only.
    EachNode,
    /// Changes its connection, or blocks it.
    OwnConnection,
}

/// A row of the table.
#[derive(Clone, Copy)]
#[cfg_attr(not(feature = "cluster"), allow(dead_code, reason = "only connections to clusters need all of it"))]
struct Row {
    keys: Keys,
    /// Whether the command only reads, with keys in a single slot: it may run twice. Commands with keys in several
    /// slots are split.
    only_reads: bool,
    /// Whether the keys are also known if the command comes from other code than this crate's.
    has_known_keys: bool,
    on_cluster: OnCluster,
}

const fn read(keys: Keys) -> Row {
    Row { keys, only_reads: true, has_known_keys: true, on_cluster: OnCluster::Routed }
}

const fn write(keys: Keys) -> Row {
    Row { only_reads: false, ..read(keys) }
}

const fn other(keys: Keys) -> Row {
    Row { has_known_keys: false, ..write(keys) }
}

const fn rejected(keys: Keys, on_cluster: OnCluster) -> Row {
    Row { on_cluster, ..other(keys) }
}

/// Returns the row of a command, given its name in upper case.
#[rustfmt::skip]
fn row(name: &[u8]) -> Row {
    match name {
        b"BITCOUNT" | b"BITFIELD_RO" | b"BITPOS" | b"GEODIST" | b"GEOHASH" | b"GEOPOS" | b"GEOSEARCH" | b"GET"
        | b"GETBIT" | b"GETRANGE" | b"HEXISTS" | b"HGET" | b"HLEN" | b"HMGET" | b"HPTTL" | b"HRANDFIELD"
        | b"HSTRLEN" | b"LINDEX" | b"LLEN" | b"LPOS" | b"LRANGE" | b"PTTL" | b"SCARD" | b"SISMEMBER"
        | b"SMISMEMBER" | b"SRANDMEMBER" | b"STRLEN" | b"TYPE" | b"XLEN" | b"XPENDING" | b"XRANGE" | b"XREVRANGE"
        | b"ZCARD" | b"ZCOUNT" | b"ZMSCORE" | b"ZRANDMEMBER" | b"ZRANGE" | b"ZRANGEBYSCORE" | b"ZRANK"
        | b"ZREVRANGE" | b"ZREVRANGEBYSCORE" | b"ZREVRANK" | b"ZSCORE" => read(Keys::First),
        b"XINFO" => read(Keys::Second),
        b"MGET" => read(Keys::All),
        b"EXISTS" => read(Keys::FirstOfSeveral),
        b"APPEND" | b"DECR" | b"DECRBY" | b"EXPIRE" | b"EXPIREAT" | b"GEOADD" | b"GETDEL" | b"GETEX" | b"GETSET"
        | b"HDEL" | b"HEXPIRE" | b"HGETALL" | b"HINCRBY" | b"HINCRBYFLOAT" | b"HKEYS" | b"HMSET" | b"HPEXPIRE"
        | b"HSET" | b"HSETNX" | b"HVALS" | b"INCR" | b"INCRBY" | b"INCRBYFLOAT" | b"LINSERT" | b"LPOP" | b"LPUSH"
        | b"LPUSHX" | b"LREM" | b"LSET" | b"LTRIM" | b"PERSIST" | b"PEXPIRE" | b"PEXPIREAT" | b"PFADD" | b"PSETEX" | b"PUBLISH"
        | b"RPOP" | b"RPUSH" | b"RPUSHX" | b"SADD" | b"SET" | b"SETBIT" | b"SETEX" | b"SETNX" | b"SETRANGE" | b"SPUBLISH"
        | b"SMEMBERS" | b"SPOP" | b"SREM" | b"TTL" | b"XACK" | b"XADD" | b"XAUTOCLAIM" | b"XCLAIM" | b"XDEL"
        | b"XTRIM" | b"ZADD" | b"ZINCRBY" | b"ZPOPMAX" | b"ZPOPMIN" | b"ZREM" | b"ZREMRANGEBYRANK"
        | b"ZREMRANGEBYSCORE" => write(Keys::First),
        b"EVAL" | b"EVALSHA" => write(Keys::Counted),
        b"DEL" | b"TOUCH" | b"UNLINK" => write(Keys::FirstOfSeveral),
        b"XGROUP" => other(Keys::Second),
        b"XREAD" | b"XREADGROUP" => other(Keys::BeforeLast),
        b"PFCOUNT" | b"PFMERGE" => other(Keys::All),
        b"CLUSTER" => other(Keys::None),
        b"SCAN" => rejected(Keys::None, OnCluster::EachNode),
        b"DBSIZE" | b"FLUSHALL" | b"FLUSHDB" | b"FUNCTION" | b"KEYS" | b"RANDOMKEY" | b"SCRIPT"
            => rejected(Keys::First, OnCluster::EachNode),
        _ if OWN_CONNECTION.contains(&name) => rejected(Keys::First, OnCluster::OwnConnection),
        _ => other(Keys::First),
    }
}

/// The commands that change or block their connection.
const OWN_CONNECTION: [&[u8]; 27] = [
    b"ASKING",
    b"AUTH",
    b"BLMOVE",
    b"BLMPOP",
    b"BLPOP",
    b"BRPOP",
    b"BRPOPLPUSH",
    b"BZMPOP",
    b"BZPOPMAX",
    b"BZPOPMIN",
    b"CLIENT",
    b"DISCARD",
    b"EXEC",
    b"HELLO",
    b"MONITOR",
    b"MULTI",
    b"PSUBSCRIBE",
    b"QUIT",
    b"READONLY",
    b"READWRITE",
    b"RESET",
    b"SELECT",
    b"SSUBSCRIBE",
    b"SUBSCRIBE",
    b"WAIT",
    b"WAITAOF",
    b"WATCH",
];

/// Returns the row of this crate's command, whose name is in upper case.
fn row_of<'c>(cmd: impl Words<'c>) -> Row {
    row(cmd.words().next().unwrap_or_default())
}

/// Returns the positions of a command's keys among its words. An unknown command has a single key after its name.
fn key_positions<'c>(cmd: impl Words<'c>) -> Range<usize> {
    let len = || cmd.words().count();
    match row_of(cmd).keys {
        Keys::None => 0..0,
        Keys::First | Keys::FirstOfSeveral => 1..2,
        Keys::Second => 2..3,
        Keys::All => 1..len(),
        Keys::Counted => {
            let number = cmd.words().nth(2).and_then(|number| std::str::from_utf8(number).ok()?.parse().ok());
            3..number.unwrap_or(1_usize).saturating_add(3)
        }
        Keys::BeforeLast => len().saturating_sub(2)..len().saturating_sub(1),
    }
}

/// Returns the cluster form of PUBLISH, which only reaches the node of the channel's slot and its subscribers.
pub(crate) fn sharded(cmd: &Cmd) -> Option<Cmd> {
    let mut words = cmd.words();
    if words.next() != Some(b"PUBLISH") {
        return None;
    }
    let mut sharded = redis::cmd("SPUBLISH");
    words.for_each(|word| sharded.write_arg(word));
    Some(sharded)
}

/// Iterates over a command's keys.
pub(crate) fn keys_of<'c>(cmd: impl Words<'c>) -> impl Iterator<Item = &'c [u8]> {
    let positions = key_positions(cmd);
    cmd.words().skip(positions.start).take(positions.len())
}

/// Returns a command's key at an index, if it is text.
pub(crate) fn key_of<'c>(cmd: impl Words<'c>, index: usize) -> Option<Box<str>> {
    let key = keys_of(cmd).nth(index)?;
    std::str::from_utf8(key).ok().map(Into::into)
}

/// Returns the first key of a built command, empty if there is nothing to send.
pub(crate) fn key_of_built(cmd: &Result<Option<Cmd>, Error>) -> Result<Box<str>, &Error> {
    cmd.as_ref().map(|cmd| cmd.as_ref().and_then(|cmd| key_of(cmd, 0)).unwrap_or_default())
}

/// Returns whether a command only reads, with keys in a single slot, so that it may run twice.
#[cfg(feature = "cluster")]
pub(crate) fn only_reads<'c>(cmd: impl Words<'c>) -> bool {
    row_of(cmd).only_reads
}

/// Returns whether [`keys_of`] returns all keys of a command that may come from other code than this crate's.
#[cfg(feature = "cluster")]
pub(crate) fn has_known_keys<'c>(cmd: impl Words<'c>) -> bool {
    let name = words(cmd).next().unwrap_or_default();
    let row = row(&name.to_ascii_uppercase());
    row.has_known_keys
        && match row.keys {
            Keys::First => true,
            Keys::FirstOfSeveral => cmd.words().count() == 2,
            // These positions are looked up by the upper-case name.
            _ => !name.iter().any(u8::is_ascii_lowercase),
        }
}

/// Returns how a connection to a cluster treats a command.
#[cfg(feature = "cluster")]
pub(crate) fn on_cluster<'c>(cmd: impl Words<'c>) -> OnCluster {
    row(&words(cmd).next().unwrap_or_default().to_ascii_uppercase()).on_cluster
}

/// Returns whether a command must not be sent over a shared connection, because it would change or block it.
#[cfg(feature = "aio")]
pub(crate) fn needs_own_connection<'c>(cmd: impl Words<'c>) -> bool {
    let name = words(cmd).next().unwrap_or_default();
    let is_one_of = |names: &[&[u8]]| names.iter().any(|known| name.eq_ignore_ascii_case(known));
    let blocks = || words(cmd).any(|word| word.eq_ignore_ascii_case(b"BLOCK"));
    // All these names are longer than the usual ones.
    name.len() > 3 && (is_one_of(&OWN_CONNECTION) || is_one_of(&[b"XREAD", b"XREADGROUP"]) && blocks())
}

/// Returns the command that counts a collection's elements.
pub(crate) const fn size_of(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::List => Some("LLEN"),
        Kind::Set => Some("SCARD"),
        Kind::ZSet | Kind::Geo => Some("ZCARD"),
        Kind::Hash => Some("HLEN"),
        Kind::Stream => Some("XLEN"),
        _ => None,
    }
}

/// Iterates over the words of a command, its name first.
pub(crate) fn words<'c>(cmd: impl Words<'c>) -> impl Iterator<Item = &'c [u8]> {
    cmd.words()
}

/// Returns the total length of a command's words.
pub(crate) fn cmd_bytes<'c>(cmd: impl Words<'c>) -> usize {
    words(cmd).map(<[u8]>::len).sum()
}

/// Converts an EVALSHA call into the EVAL that carries the script's text.
pub(crate) fn as_eval<'c>(script: &Script, cmd: impl Words<'c>) -> Cmd {
    let mut eval = Cmd::with_capacity(cmd.words().count(), script.text.len().saturating_add(cmd_bytes(cmd)));
    eval.write_arg(b"EVAL");
    eval.write_arg(script.text.as_bytes());
    words(cmd).skip(2).for_each(|word| eval.write_arg(word));
    eval
}

/// Returns this crate's script that a command calls by its SHA-1.
#[cfg(feature = "cluster")]
pub(crate) fn called_script<'c>(cmd: impl Words<'c>) -> Option<&'static Script> {
    words(cmd).nth(1).and_then(lua::by_sha1)
}

/// Returns a command with its script's text, if it calls a script by its SHA-1.
#[cfg(feature = "cluster")]
pub(crate) fn with_script_text(cmd: &Cmd) -> Option<Cmd> {
    Some(as_eval(called_script(cmd)?, cmd))
}

#[cfg(test)]
mod tests {
    use redis::Cmd;

    use super::keys_of;
    #[cfg(feature = "cluster")]
    use super::{OnCluster, has_known_keys, on_cluster, only_reads};

    fn cmd(line: &str) -> Cmd {
        let mut cmd = Cmd::new();
        line.split(' ').for_each(|word| _ = cmd.arg(word));
        cmd
    }

    /// Atomic groups and batches on a cluster rely on these positions.
    #[test]
    fn each_command_has_its_keys_at_known_positions() {
        for (command, keys) in [
            ("GET a", "a"),
            ("SET a b PX 1", "a"),
            ("TYPE a", "a"),
            ("HMGET a b c", "a"),
            ("BITFIELD_RO a GET u8 0", "a"),
            ("MGET a b c", "a b c"),
            ("PFCOUNT a b", "a b"),
            ("PFMERGE a b c", "a b c"),
            ("EVALSHA x 1 a 7", "a"),
            ("EVALSHA x 2 a b 7", "a b"),
            ("EVAL text 3 a b c", "a b c"),
            ("SCAN 0 MATCH a*", ""),
            ("XGROUP CREATE a group 0", "a"),
            ("XINFO STREAM a", "a"),
            ("XREAD COUNT 1 STREAMS a 0-0", "a"),
            ("XREADGROUP GROUP group consumer COUNT 1 STREAMS a >", "a"),
            ("XACK a group 1-1", "a"),
            ("XAUTOCLAIM a group consumer 1 0-0", "a"),
        ] {
            let cmd = cmd(command);
            let found: Vec<_> = keys_of(&cmd).map(|key| std::str::from_utf8(key).unwrap()).collect();
            assert_eq!(found.join(" "), keys, "{command}");
        }
    }

    #[cfg(feature = "cluster")]
    #[test]
    fn only_pure_reads_may_be_executed_twice() {
        for name in ["SET", "GETEX", "GETDEL", "EVALSHA", "EVAL", "INCRBY", "BITFIELD", "XREADGROUP", "PFCOUNT", "ge"] {
            assert!(!only_reads(&*redis::cmd(name).arg("a")), "{name}");
        }
        for name in ["GET", "MGET", "HMGET", "ZRANGE", "PTTL", "TYPE"] {
            assert!(only_reads(&*redis::cmd(name).arg("a")), "{name}");
        }
    }

    #[cfg(feature = "cluster")]
    #[test]
    fn keys_are_known_of_common_commands() {
        for line in ["GET a", "SET a 1", "DEL a", "MGET a b", "EVALSHA x 2 a b 1", "XINFO STREAM a", "zadd a 1 b"] {
            assert!(has_known_keys(&cmd(line)), "{line}");
        }
        for line in ["DEL a b", "BITOP OR a b", "SUNIONSTORE a b", "COPY a b", "ZUNION 2 a b", "PING", "eval x 1 a"] {
            assert!(!has_known_keys(&cmd(line)), "{line}");
        }
    }

    #[cfg(feature = "cluster")]
    #[test]
    fn some_commands_are_rejected() {
        for line in ["KEYS *", "flushall", "MULTI", "watch a", "SUBSCRIBE a", "CLIENT REPLY OFF"] {
            assert_ne!(on_cluster(&cmd(line)), OnCluster::Routed, "{line}");
        }
        assert_eq!(on_cluster(&cmd("PING")), OnCluster::Routed);
    }
}
