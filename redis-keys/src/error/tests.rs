//! Messages contain nothing of the server's text that could be a value.

use std::io;

use redis::RedisError;

use super::{Cause, Error, ErrorKind, SendStatus, of_redis};
use crate::RedisKey as _;
use crate::tests::keys::Name;

/// Returns the message for an error reply, from the code on.
fn message_of(reply: &str) -> String {
    let reply = redis::parse_redis_value(format!("-{reply}\r\n").as_bytes());
    let (sent, cause) = of_redis(reply.and_then(redis::Value::extract_error).unwrap_err(), false);
    let error = Error::new(Name::SCHEMA, Some("user:name:ada:string".into()), sent, cause);
    assert_eq!((error.kind(), error.sent(), error.rule()), (ErrorKind::Server, SendStatus::Yes, None));
    assert!(std::error::Error::source(&error).is_none() && !format!("{error:?}").contains("secret"));
    let start = "command on `Name` (user:name:ada:string) failed: the server replied ";
    error.to_string().strip_prefix(start).unwrap().to_owned()
}

const WITHHELD: &str = "with an error, whose text is withheld because it can contain values";
const NO_PERMISSION: &str = "NOPERM: the user lacks a permission for this command or key";
const OUT_OF_MEMORY: &str = "OOM: the memory limit is reached";
const UNKNOWN_COMMAND: &str = "ERR: unknown command: Redis 6.2 or later is needed";

#[test]
fn error_replies() {
    for (reply, message) in [
        ("READONLY You can't write against secret", "READONLY: replicas do not accept writes"),
        ("NOAUTH secret", "NOAUTH: authentication is required"),
        ("OOM", OUT_OF_MEMORY),
        ("ERR syntax error near secret", "ERR: unknown command syntax: Redis 6.2 or later is needed"),
        ("ERR unknown command `SET`, with args beginning with: `secret`", UNKNOWN_COMMAND),
        ("ERR unknown command 'secret' 'secret'", UNKNOWN_COMMAND),
        // The address of the node that has the key.
        ("MOVED 3999 127.0.0.1:6381", "MOVED: the key is on another node (3999 127.0.0.1:6381)"),
        ("ASK 3999 127.0.0.1:6381 secret", "ASK: the key is moving to another node (3999 127.0.0.1:6381)"),
        ("MOVED secret", "MOVED: the key is on another node"),
        // Redis 6 wraps the errors of scripts.
        ("@user_script: 8: -OOM secret", OUT_OF_MEMORY),
        ("ERR Error running script (call to f_1f): @user_script:1: @user_script: 1: -OOM secret", OUT_OF_MEMORY),
        ("@user_script: 8: secret", WITHHELD),
        ("ERR Error running script (call to f_1f): @user_script:1: secret", WITHHELD),
        // Missing permissions in a script.
        ("@user_script: 1: The user executing the script can't run this command or subcommand", NO_PERMISSION),
        (
            "ERR Error running script (call to f_1f): @user_script:1: @user_script: 1: The user executing the script can't \
             run this command or subcommand",
            NO_PERMISSION,
        ),
        (
            "ERR The user executing the script can't run this command or subcommand script: 1f, on @user_script:1.",
            NO_PERMISSION,
        ),
        (
            "ERR The user executing the script can't access at least one of the keys mentioned in the command arguments",
            NO_PERMISSION,
        ),
        (
            "ERR ACL failure in script: User secret has no permissions to run the 'pttl' command script: on @user_script:1.",
            NO_PERMISSION,
        ),
        ("ERR ACL failure in script: No permissions to access a key", NO_PERMISSION),
        ("NOPERM User secret has no permissions to run the 'set' command", NO_PERMISSION),
        // Unknown errors.
        ("ERR the proxy cannot do secret", WITHHELD),
        ("ERR the proxy says: -OOM secret", WITHHELD),
        ("ERR the proxy says @user_script: 1: -OOM secret", WITHHELD),
        ("CUSTOM secret", WITHHELD),
        ("secret rejected", WITHHELD),
        ("ERR value is not an integer or out of range", WITHHELD),
        ("ERR", WITHHELD),
        ("", WITHHELD),
    ] {
        assert_eq!(message_of(reply), message, "{reply}");
    }
}

#[test]
fn replies_quoted_by_redis_rs_are_dropped() {
    let error = RedisError::from(redis::ParsingError::from("value was secret".to_owned()));
    let (_, cause) = of_redis(error, false);
    assert!(matches!(cause, Cause::UnexpectedReply));
    let error = Error::new(Name::SCHEMA, None, SendStatus::Yes, cause);
    assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
    assert!(std::error::Error::source(&error).is_none());
}

#[test]
fn connection_errors_contain_no_text_of_the_server() {
    let message_of = |error: RedisError| {
        let (sent, cause) = of_redis(error, false);
        let error = Error::new(Name::SCHEMA, Some("k".into()), sent, cause);
        assert!(!format!("{error:?} {:?}", std::error::Error::source(&error)).contains("secret"));
        error.to_string()
    };
    let denied = (redis::ErrorKind::AuthenticationFailed, "Password authentication failed", "secret".to_owned());
    assert_eq!(
        message_of(denied.into()),
        "command on `Name` (k) failed: connection error: authentication failed; it may have been executed"
    );
    for timeout in [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut] {
        assert_eq!(
            message_of(io::Error::from(timeout).into()),
            "command on `Name` (k) failed: connection error: no reply in time; it may have been executed"
        );
    }
    let unsent = RedisError::from((redis::ErrorKind::InvalidClientConfig, "invalid URL"));
    assert!(message_of(unsent).ends_with("; nothing was sent"));
}

#[test]
fn errors_are_small_send_and_sync() {
    fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
    is_error::<Error>();
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
}
