//! redis-rs's errors as ours.

use redis::{ErrorKind as RedisErrorKind, RedisError, ServerErrorKind};

use super::{Cause, Sent};
use crate::stored::StoredError;

/// What a server's error means.
#[derive(Clone, Copy)]
pub(crate) struct Refusal {
    pub(super) code: &'static str,
    pub(super) meaning: &'static str,
}

/// Tells what a redis error is to us, and whether the command reached the server. No text of the server's is taken over,
/// since it could hold an argument of the command.
pub(crate) fn of_redis(error: RedisError, counts: bool) -> (Sent, Cause) {
    match error.kind() {
        RedisErrorKind::Server(_) | RedisErrorKind::Extension => (Sent::Yes, of_server(&error, counts)),
        // redis-rs quotes the answer in these.
        RedisErrorKind::Parse | RedisErrorKind::UnexpectedReturnType => (Sent::Yes, Cause::UnexpectedReply),
        RedisErrorKind::Client | RedisErrorKind::InvalidClientConfig | RedisErrorKind::EmptySentinelList => {
            (Sent::No, Cause::Connection(error))
        }
        _ => (Sent::Maybe, Cause::Connection(error)),
    }
}

fn of_server(error: &RedisError, counts: bool) -> Cause {
    if is_wrong_type(error) {
        return Cause::WrongType { found: None };
    }
    let (code, detail) = unwrapped(error.code().unwrap_or_default(), error.detail().unwrap_or_default());
    if counts && NO_NUMBER.iter().any(|beginning| detail.starts_with(beginning)) {
        return Cause::Decode { stored: StoredError::new("it is no number that Redis can count"), bytes: None };
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
    // Redis says the one, Valkey the other, with the member.
    let not_there = detail.strip_prefix("member ").is_some_and(|rest| rest.ends_with(" does not exist"));
    if not_there || detail.starts_with("could not decode requested zset member") {
        return Cause::NoMember;
    }
    // A slot and an address, of the server's own text the only thing that is told.
    let to = error.redirect_node().map(|(address, slot)| format!("{slot} {address}").into());
    Cause::Server { refusal: refusal(code, detail), to }
}

/// How servers say that there is no number to be counted.
const NO_NUMBER: [&str; 4] = [
    "value is not an integer",
    "value is not a valid float",
    "hash value is not an integer",
    "hash value is not a float",
];

/// The code and the message. Redis 6.2 wraps the errors of what a script runs: `@user_script: 8: -OOM command not allowed …`
/// from `pcall`, and from `call` the same behind `ERR Error running script (call to f_…): @user_script:8: `.
fn unwrapped<'d>(code: &'d str, detail: &'d str) -> (&'d str, &'d str) {
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

const NO_PERMISSION: Refusal =
    Refusal { code: "NOPERM", meaning: "this user may not run all of the command, or not on this key" };

/// What is known by its code, whatever the message is, and what it means.
const CODES: &[(&str, &str)] = &[
    (NO_PERMISSION.code, NO_PERMISSION.meaning),
    ("ASK", "the key is moving to another node"),
    ("BUSY", "it is busy with a script"),
    ("CLUSTERDOWN", "the cluster is down"),
    ("CROSSSLOT", "the keys are in different slots; a cluster wants a cluster connection"),
    ("EXECABORT", "the transaction was given up"),
    ("LOADING", "it is still loading its data"),
    ("MASTERDOWN", "it is a replica that has lost its primary"),
    ("MISCONF", "it takes no writes, since it cannot save them to disk"),
    ("MOVED", "the key is on another node"),
    ("NOAUTH", "it wants a password first"),
    ("NOGROUP", "there is no such group of consumers; create it with `group(…).create(…)`"),
    ("NOREPLICAS", "it takes no writes, since it has too few replicas"),
    ("NOSCRIPT", "it does not know the script"),
    ("OOM", "its memory is full"),
    ("READONLY", "it is a replica, which takes no writes"),
    ("TRYAGAIN", "the key is moving to another node"),
    ("UNBLOCKED", "it has become another kind of server, and ended the wait"),
    ("UNKILLABLE", "it is busy with a script"),
    ("WRONGPASS", "the user's name or password is wrong"),
];

const NO_STREAM: Refusal = err("there is no such key");

const NO_FIELD_EXPIRY: Refusal = err("it knows no expiry of fields; field expiry needs Redis 7.4 or Valkey 9");

const UNKNOWN_COMMAND: Refusal = err("it does not know the command; Redis 6.2 or later is needed");

const OTHER_FORM: Refusal = err("it does not know the command in this form; Redis 6.2 or later is needed");

/// What is known by how its message begins.
const BEGINNINGS: &[(&str, Refusal)] = &[
    ("no expiry of fields", NO_FIELD_EXPIRY),
    ("unknown command 'HP", NO_FIELD_EXPIRY),
    ("unknown command `HP", NO_FIELD_EXPIRY),
    ("ACL failure in script", NO_PERMISSION),
    ("The user executing the script can't", NO_PERMISSION),
    ("unknown command", UNKNOWN_COMMAND),
    ("Unknown Redis command called from", UNKNOWN_COMMAND),
    ("wrong number of arguments", OTHER_FORM),
    ("syntax error", OTHER_FORM),
    ("bit offset is not an integer or out of range", err("the bit is farther off than it has any")),
    ("no such key", NO_STREAM),
    ("The XGROUP subcommand requires the key to exist", NO_STREAM),
    (
        "The ID specified in XADD is equal or smaller",
        err("the id is not above those of all entries that there have been; nothing was added"),
    ),
    ("the stream key no longer exists", Refusal { code: "UNBLOCKED", meaning: "the key has gone during the wait" }),
    ("invalid expire time", err("it does not take this expiry")),
    ("string exceeds maximum allowed size", err("the value would be too large for it")),
    ("This instance has cluster support disabled", err("it is no cluster")),
];

/// A refusal of which the code says nothing.
const fn err(meaning: &'static str) -> Refusal {
    Refusal { code: "ERR", meaning }
}

fn refusal(code: &str, detail: &str) -> Option<Refusal> {
    let by_beginning = BEGINNINGS.iter().find(|(beginning, _)| detail.starts_with(beginning)).map(|(_, known)| *known);
    let by_code = || CODES.iter().find(|(known, _)| *known == code).map(|&(code, meaning)| Refusal { code, meaning });
    by_beginning.or_else(by_code)
}

pub(crate) fn is_wrong_type(error: &RedisError) -> bool {
    error.code() == Some("WRONGTYPE")
}

pub(crate) fn is_no_script(error: &RedisError) -> bool {
    error.kind() == RedisErrorKind::Server(ServerErrorKind::NoScript)
}
