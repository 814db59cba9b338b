//! The classification of redis-rs's errors.

use redis::{ErrorKind as RedisErrorKind, RedisError, ServerErrorKind};

use super::cause::ServerReply;
use super::{Cause, SendStatus};
use crate::stored::StoredError;

/// Returns the cause of a redis error, and whether the command reached the server.
///
/// The server's text is dropped: it can contain arguments of the command. `counts` is whether the command increments a
/// number.
pub(crate) fn of_redis(error: RedisError, counts: bool) -> (SendStatus, Cause) {
    match error.kind() {
        // Nothing was executed.
        RedisErrorKind::Server(ServerErrorKind::NoScript) => (SendStatus::No, of_server(&error, counts)),
        RedisErrorKind::Server(_) | RedisErrorKind::Extension => (SendStatus::Yes, of_server(&error, counts)),
        // redis-rs quotes the reply in these.
        RedisErrorKind::Parse | RedisErrorKind::UnexpectedReturnType => (SendStatus::Yes, Cause::UnexpectedReply),
        RedisErrorKind::Client | RedisErrorKind::InvalidClientConfig | RedisErrorKind::EmptySentinelList => {
            (SendStatus::No, Cause::Connection(error))
        }
        _ => (SendStatus::Maybe, Cause::Connection(error)),
    }
}

fn of_server(error: &RedisError, counts: bool) -> Cause {
    if is_wrong_type(error) {
        return Cause::WrongType { found: None };
    }
    let (code, detail) = unwrap_script_error(error.code().unwrap_or_default(), error.detail().unwrap_or_default());
    if counts && NOT_A_NUMBER.iter().any(|start| detail.starts_with(start)) {
        return Cause::Decode { stored: StoredError::new("not a number that Redis can increment"), bytes: None };
    }
    if counts && detail.starts_with("increment or decrement would overflow") {
        return Cause::OutOfRange(Some((i64::MIN, i64::MAX)));
    }
    if counts && detail.starts_with("increment would produce NaN or Infinity") {
        return Cause::OutOfRange(None);
    }
    if detail.starts_with("resulting score is not a number") {
        return Cause::ScoreSum;
    }
    // The messages of Valkey and of Redis.
    let not_found = detail.strip_prefix("member ").is_some_and(|rest| rest.ends_with(" does not exist"));
    if not_found || detail.starts_with("could not decode requested zset member") {
        return Cause::NoMember;
    }
    let redirect = error.redirect_node().map(|(address, slot)| format!("{slot} {address}").into());
    Cause::Server { reply: known_reply(code, detail), redirect }
}

/// The servers' messages about an increment of a value that is not a number.
const NOT_A_NUMBER: [&str; 4] = [
    "value is not an integer",
    "value is not a valid float",
    "hash value is not an integer",
    "hash value is not a float",
];

/// Returns the code and the message of an error, without the text that Redis 6.2 adds to a script's errors.
///
/// From `redis.pcall` it is `@user_script: 8: -OOM command not allowed …`, and from `redis.call` the same after
/// `ERR Error running script (call to f_…): @user_script:8: `.
fn unwrap_script_error<'d>(code: &'d str, detail: &'d str) -> (&'d str, &'d str) {
    let inner = match detail.rsplit_once("@user_script:") {
        Some((_, inner)) if detail.starts_with("Error running script") => inner,
        _ if code == "@user_script:" => detail,
        _ => return (code, detail),
    };
    let inner = inner.split_once(": ").map_or(inner, |(_line, inner)| inner);
    match inner.strip_prefix('-') {
        Some(inner) => inner.split_once(' ').unwrap_or((inner, "")),
        None => ("ERR", inner),
    }
}

const NO_PERMISSION: ServerReply =
    ServerReply { code: "NOPERM", meaning: "the user lacks a permission for this command or key" };

/// The meanings of error codes.
const CODES: &[(&str, &str)] = &[
    (NO_PERMISSION.code, NO_PERMISSION.meaning),
    ("ASK", "the key is moving to another node"),
    ("BUSY", "another script is running"),
    ("CLUSTERDOWN", "the cluster is down"),
    ("CROSSSLOT", "the keys are in different slots: use a cluster connection"),
    ("EXECABORT", "the transaction was aborted"),
    ("LOADING", "the server is still loading its data"),
    ("MASTERDOWN", "the replica has lost its primary"),
    ("MISCONF", "writes are disabled because saving to disk fails"),
    ("MOVED", "the key is on another node"),
    ("NOAUTH", "authentication is required"),
    ("NOGROUP", "the consumer group does not exist: create it with `group(…).create(…)`"),
    ("NOREPLICAS", "writes are disabled because too few replicas are connected"),
    ("NOSCRIPT", "the script is not loaded"),
    ("OOM", "the memory limit is reached"),
    ("READONLY", "replicas do not accept writes"),
    ("TRYAGAIN", "the key is moving to another node"),
    ("UNBLOCKED", "the wait ended because the server changed its role"),
    ("UNKILLABLE", "another script is running"),
    ("WRONGPASS", "the user name or the password is wrong"),
];

const NO_KEY: ServerReply = err("the key does not exist");

const NO_FIELD_EXPIRY: ServerReply = err("field expiry is not supported: it needs Redis 7.4 or Valkey 9");

const UNKNOWN_COMMAND: ServerReply = err("unknown command: Redis 6.2 or later is needed");

const UNKNOWN_SYNTAX: ServerReply = err("unknown command syntax: Redis 6.2 or later is needed");

const NO_SHARDED_CHANNELS: ServerReply =
    err("a cluster has sharded channels from Redis 7.0 on: an older one has only PUBLISH, which goes to all nodes");

/// The meanings of messages, by how they start. They take precedence over the code.
const MESSAGES: &[(&str, ServerReply)] = &[
    ("no expiry of fields", NO_FIELD_EXPIRY),
    ("unknown command 'HP", NO_FIELD_EXPIRY),
    ("unknown command `HP", NO_FIELD_EXPIRY),
    ("unknown command 'SPUBLISH", NO_SHARDED_CHANNELS),
    ("unknown command `SPUBLISH", NO_SHARDED_CHANNELS),
    ("unknown command 'SSUBSCRIBE", NO_SHARDED_CHANNELS),
    ("unknown command `SSUBSCRIBE", NO_SHARDED_CHANNELS),
    ("ACL failure in script", NO_PERMISSION),
    ("The user executing the script can't", NO_PERMISSION),
    ("unknown command", UNKNOWN_COMMAND),
    ("Unknown Redis command called from", UNKNOWN_COMMAND),
    ("wrong number of arguments", UNKNOWN_SYNTAX),
    ("syntax error", UNKNOWN_SYNTAX),
    ("bit offset is not an integer or out of range", err("the bit offset is out of range")),
    ("no such key", NO_KEY),
    ("The XGROUP subcommand requires the key to exist", NO_KEY),
    ("The ID specified in XADD is equal or smaller", err("the entry ID is not greater than all previous ones")),
    (
        "the stream key no longer exists",
        ServerReply { code: "UNBLOCKED", meaning: "the key was deleted during the wait" },
    ),
    ("invalid expire time", err("invalid expiry")),
    ("string exceeds maximum allowed size", err("the value would exceed the server's size limit")),
    ("This instance has cluster support disabled", err("the server is not part of a cluster")),
];

const fn err(meaning: &'static str) -> ServerReply {
    ServerReply { code: "ERR", meaning }
}

fn known_reply(code: &str, detail: &str) -> Option<ServerReply> {
    let by_message = MESSAGES.iter().find(|(start, _)| detail.starts_with(start)).map(|(_, reply)| *reply);
    let by_code =
        || CODES.iter().find(|(known, _)| *known == code).map(|&(code, meaning)| ServerReply { code, meaning });
    by_message.or_else(by_code)
}

pub(crate) fn is_wrong_type(error: &RedisError) -> bool {
    error.code() == Some("WRONGTYPE")
}

pub(crate) fn is_no_script(error: &RedisError) -> bool {
    error.kind() == RedisErrorKind::Server(ServerErrorKind::NoScript)
}
