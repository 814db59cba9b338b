//! redis-rs's errors as ours.

use redis::{ErrorKind as RedisErrorKind, RedisError, ServerErrorKind};

use super::{Cause, Sent};
use crate::stored::StoredError;

/// Tells what a redis error is to us, and whether the command reached the server. Nothing is taken over that could hold an
/// argument of the command.
pub(crate) fn of_redis(error: RedisError) -> (Sent, Cause) {
    match error.kind() {
        RedisErrorKind::Server(_) | RedisErrorKind::Extension => (Sent::Yes, of_server(&error)),
        RedisErrorKind::Io => {
            let sent = if error.is_connection_refusal() { Sent::No } else { Sent::Maybe };
            (sent, Cause::Connection { source: Some(error) })
        }
        // redis-rs quotes the answer in these.
        RedisErrorKind::Parse | RedisErrorKind::UnexpectedReturnType => (Sent::Yes, Cause::UnexpectedReply),
        RedisErrorKind::InvalidClientConfig | RedisErrorKind::EmptySentinelList => {
            (Sent::No, Cause::Connection { source: Some(error) })
        }
        _ => (Sent::Maybe, Cause::Connection { source: Some(error) }),
    }
}

fn of_server(error: &RedisError) -> Cause {
    let (code, detail) = unwrapped(error.code().unwrap_or("ERR"), error.detail().unwrap_or_default());
    if is_wrong_type(error) {
        return Cause::WrongType { found: None };
    }
    if detail.starts_with("value is not an integer") || detail.starts_with("value is not a valid float") {
        return Cause::Decode { stored: StoredError::new("it is no number that Redis can count"), bytes: None };
    }
    if detail.starts_with("increment or decrement would overflow") {
        return Cause::OutOfRange(Some((i64::MIN, i64::MAX)));
    }
    if detail.starts_with("increment would produce NaN or Infinity") {
        return Cause::OutOfRange(None);
    }
    Cause::Server { code: code.into(), detail: harmless(code, detail).map(Into::into) }
}

/// The code and the message. Redis 6.2 wraps what refuses a script's write: `@user_script: 8: -OOM command not allowed …`.
fn unwrapped<'d>(code: &'d str, detail: &'d str) -> (&'d str, &'d str) {
    let inner = detail.split_once(": -").and_then(|(_, inner)| inner.split_once(' '));
    inner.filter(|_| code.starts_with("@user_script")).unwrap_or((code, detail))
}

/// The part of a server's message that cannot hold an argument of the command.
///
/// Servers quote arguments in some messages under `ERR` ("unknown command 'X', with args beginning with: …"), and proxies
/// have messages of their own. So of `ERR` and unknown codes only known beginnings are kept.
fn harmless<'d>(code: &str, detail: &'d str) -> Option<&'d str> {
    const CODES: [&str; 14] = [
        "ASK",
        "BUSY",
        "CLUSTERDOWN",
        "CROSSSLOT",
        "EXECABORT",
        "LOADING",
        "MASTERDOWN",
        "MISCONF",
        "MOVED",
        "NOAUTH",
        "NOPERM",
        "NOREPLICAS",
        "OOM",
        "READONLY",
    ];
    const BEGINNINGS: [&str; 6] = [
        "unknown command",
        "wrong number of arguments",
        "syntax error",
        "invalid expire time",
        "string exceeds maximum allowed size",
        "This instance has cluster support disabled",
    ];
    let known = CODES.contains(&code) || BEGINNINGS.iter().any(|beginning| detail.starts_with(beginning));
    let detail = detail.split(", with args").next().unwrap_or_default();
    (known && !detail.is_empty()).then_some(detail)
}

pub(crate) fn is_wrong_type(error: &RedisError) -> bool {
    error.code() == Some("WRONGTYPE")
}

pub(crate) fn is_no_script(error: &RedisError) -> bool {
    error.kind() == RedisErrorKind::Server(ServerErrorKind::NoScript)
}
