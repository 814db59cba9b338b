//! Commands that are not this crate's: which are rejected, and of which the keys are known.

use redis::{Cmd, ErrorKind, RedisResult};

use crate::{command::cmd::words, run::cluster::reads::only_reads};

/// Rejects commands that need each node, or a connection of their own.
pub(super) fn check(cmd: &Cmd) -> RedisResult<()> {
    if is_one_of(cmd, &OF_EACH_NODE) {
        return Err((ErrorKind::Client, "this command would answer for one node of the cluster only").into());
    }
    if is_one_of(cmd, &OF_A_CONNECTION) {
        let why = "this command changes its connection, but the connections to the nodes are shared";
        return Err((ErrorKind::Client, why).into());
    }
    Ok(())
}

/// Whether this is all that a command's keys can be: one key, its first argument, or what [`keys_of`](crate::command::cmd::keys_of)
/// returns for the commands of this crate.
pub(super) fn has_known_keys(cmd: &Cmd) -> bool {
    let has_one_key = || words(cmd).count() == 2;
    match words(cmd).next().unwrap_or_default() {
        b"DEL" | b"EXISTS" | b"TOUCH" | b"UNLINK" => has_one_key(),
        b"EVAL" | b"EVALSHA" => true,
        _ => only_reads(cmd) || is_one_of(cmd, &OF_ONE_KEY),
    }
}

fn is_one_of(cmd: &Cmd, names: &[&str]) -> bool {
    let name = words(cmd).next().unwrap_or_default();
    names.iter().any(|other| name.eq_ignore_ascii_case(other.as_bytes()))
}

const OF_EACH_NODE: [&str; 8] = ["DBSIZE", "FLUSHALL", "FLUSHDB", "FUNCTION", "KEYS", "RANDOMKEY", "SCAN", "SCRIPT"];

#[rustfmt::skip]
const OF_A_CONNECTION: [&str; 17] = [
    "ASKING", "AUTH", "CLIENT", "DISCARD", "EXEC", "HELLO", "MONITOR", "MULTI", "PSUBSCRIBE", "QUIT", "READONLY",
    "READWRITE", "RESET", "SELECT", "SSUBSCRIBE", "SUBSCRIBE", "WATCH",
];

/// Beside those that only read.
#[rustfmt::skip]
const OF_ONE_KEY: [&str; 61] = [
    "APPEND", "DECR", "DECRBY", "EXPIRE", "EXPIREAT", "GEOADD", "GETDEL", "GETEX", "GETSET", "HDEL", "HEXPIRE",
    "HGETALL", "HINCRBY", "HINCRBYFLOAT", "HKEYS", "HMSET", "HPEXPIRE", "HSET", "HSETNX", "HVALS", "INCR", "INCRBY",
    "INCRBYFLOAT", "LINSERT", "LPOP", "LPUSH", "LPUSHX", "LREM", "LSET", "LTRIM", "PERSIST", "PEXPIRE", "PEXPIREAT",
    "PFADD", "PSETEX", "RPOP", "RPUSH", "RPUSHX", "SADD", "SET", "SETBIT", "SETEX", "SETNX", "SETRANGE", "SMEMBERS",
    "SPOP", "SREM", "TTL", "XACK", "XADD", "XAUTOCLAIM", "XCLAIM", "XDEL", "XTRIM", "ZADD", "ZINCRBY", "ZPOPMAX",
    "ZPOPMIN", "ZREM", "ZREMRANGEBYRANK", "ZREMRANGEBYSCORE",
];

#[cfg(test)]
mod tests {
    use redis::Cmd;

    use super::{check, has_known_keys};

    fn cmd(line: &str) -> Cmd {
        let mut cmd = Cmd::new();
        line.split(' ').for_each(|word| _ = cmd.arg(word));
        cmd
    }

    #[test]
    fn keys_are_known_of_common_commands() {
        for line in ["GET a", "SET a 1", "DEL a", "MGET a b", "EVALSHA x 2 a b 1", "XINFO STREAM a", "zadd a 1 b"] {
            assert!(has_known_keys(&cmd(line)), "{line}");
        }
        for line in ["DEL a b", "BITOP OR a b", "SUNIONSTORE a b", "COPY a b", "ZUNION 2 a b", "PING", "eval x 1 a"] {
            assert!(!has_known_keys(&cmd(line)), "{line}");
        }
    }

    #[test]
    fn some_commands_are_rejected() {
        for line in ["KEYS *", "flushall", "MULTI", "watch a", "SUBSCRIBE a", "CLIENT REPLY OFF"] {
            check(&cmd(line)).unwrap_err();
        }
        check(&cmd("PING")).unwrap();
    }
}
