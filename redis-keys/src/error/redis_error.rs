//! The conversion into redis-rs's error, for code that uses both.

use redis::{ErrorKind as RedisErrorKind, RedisError, ServerErrorKind};

use super::cause::ServerReply;
use super::{Cause, Error, SendStatus};

/// Keeps the kind, the code and the node of a redirection. A connection error becomes the original error.
///
/// Other errors become [`Client`](redis::ErrorKind::Client) if nothing was sent,
/// [`UnexpectedReturnType`](redis::ErrorKind::UnexpectedReturnType) if a reply or a stored value cannot be read, and an
/// `ERR` of the server if it rejected the command. Their text is the text of this error, and contains no value either.
///
/// ```no_run
/// use redis_keys::{prelude::*, redis::{Commands, Connection, RedisResult}};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// fn rename(con: &mut Connection, user_id: u64, name: &str) -> RedisResult<()> {
///     Name { user_id }.set(name).query(con)?;
///     con.publish("renamed", user_id)
/// }
/// ```
impl From<Error> for RedisError {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error.inner.cause {
            // A detail can be the server's text, which can contain values.
            Cause::Connection(source) if source.detail().is_none() => source,
            Cause::Connection(source) => (source.kind(), "connection error", text).into(),
            Cause::Server { reply: Some(ServerReply { code, .. }), redirect } => {
                server_error(code, redirect.as_deref().unwrap_or(&text))
            }
            Cause::Server { reply: None, .. } => server_error("ERR", &text),
            Cause::WrongType { .. } | Cause::WrongTypeAmongKeys => server_error("WRONGTYPE", &text),
            _ if error.inner.sent == SendStatus::No => {
                (RedisErrorKind::Client, "rejected before it was sent", text).into()
            }
            Cause::Decode { .. }
            | Cause::Field { .. }
            | Cause::Entry { .. }
            | Cause::Name(_)
            | Cause::UnexpectedReply => (RedisErrorKind::UnexpectedReturnType, "unreadable reply", text).into(),
            _ => server_error("ERR", &text),
        }
    }
}

/// The error for a reply with this code, whose kind redis-rs knows.
fn server_error(code: &str, detail: &str) -> RedisError {
    let reply = redis::parse_redis_value(format!("-{code} {detail}\r\n").as_bytes());
    let otherwise = || (RedisErrorKind::Server(ServerErrorKind::ResponseError), "error reply").into();
    reply.and_then(redis::Value::extract_error).err().unwrap_or_else(otherwise)
}

#[cfg(test)]
mod tests {
    use std::io;

    use redis::{ErrorKind, RedisError, ServerErrorKind};

    use super::{Cause, Error, SendStatus};
    use crate::RedisKey as _;
    use crate::error::of_redis;
    use crate::stored::StoredError;
    use crate::tests::keys::Name;

    fn converted(error: RedisError) -> RedisError {
        let (sent, cause) = of_redis(error, false);
        converted_cause(sent, cause)
    }

    fn converted_cause(sent: SendStatus, cause: Cause) -> RedisError {
        let converted = RedisError::from(Error::new(Name::SCHEMA, Some("user:name:ada:string".into()), sent, cause));
        assert!(!format!("{converted:?} {converted}").contains("secret"));
        converted
    }

    fn reply(text: &str) -> RedisError {
        let reply = redis::parse_redis_value(format!("-{text}\r\n").as_bytes());
        reply.and_then(redis::Value::extract_error).unwrap_err()
    }

    #[test]
    fn replies_keep_their_kind_and_code() {
        for text in [
            "READONLY secret",
            "OOM secret",
            "LOADING secret",
            "NOPERM secret",
            "WRONGTYPE secret",
            "CROSSSLOT secret",
            "ERR secret",
            "BUSY secret",
        ] {
            let (before, after) = (reply(text), converted(reply(text)));
            assert_eq!((before.kind(), before.code()), (after.kind(), after.code()));
            assert!(after.to_string().contains("`Name` (user:name:ada:string)"), "{after}");
        }
        assert_eq!(converted(reply("CUSTOM secret")).kind(), ErrorKind::Server(ServerErrorKind::ResponseError));
        let moved = converted(reply("MOVED 3999 127.0.0.1:6381"));
        assert!(moved.is_cluster_error());
        assert_eq!(moved.redirect_node(), Some(("127.0.0.1:6381", 3999)));
    }

    #[test]
    fn connection_errors_are_kept() {
        let timeout = converted(io::Error::from(io::ErrorKind::TimedOut).into());
        assert!(timeout.is_io_error() && timeout.is_timeout());
        let refused = converted(io::Error::from(io::ErrorKind::ConnectionRefused).into());
        assert!(refused.is_connection_refusal() && refused.is_connection_dropped());
        let denied = converted((ErrorKind::AuthenticationFailed, "denied", "secret".to_owned()).into());
        assert_eq!(denied.kind(), ErrorKind::AuthenticationFailed);
    }

    #[test]
    fn other_errors_have_a_kind() {
        let large = || Cause::ValueSize { bytes: 7 };
        let rejected = converted_cause(SendStatus::No, large());
        assert_eq!(rejected.kind(), ErrorKind::Client);
        assert_eq!(
            rejected.to_string(),
            "rejected before it was sent - Client: value of `Name` (user:name:ada:string) exceeds `max_bytes`: 7 bytes, \
             at most 10240; declare `max_bytes = 7B` to allow it [value-size]"
        );
        assert_eq!(converted_cause(SendStatus::Yes, large()).code(), Some("ERR"));
        for cause in [Cause::UnexpectedReply, Cause::Decode { stored: StoredError::new("x"), bytes: Some(7) }] {
            assert_eq!(converted_cause(SendStatus::Yes, cause).kind(), ErrorKind::UnexpectedReturnType);
        }
    }
}
