//! Nothing of what a server says is told that could be a value.

use std::io;

use redis::RedisError;

use super::{Cause, Error, ErrorKind, Sent, of_redis};
use crate::{RedisKey as _, testing::keys::Name};

fn told(line: &str) -> String {
    let reply = redis::parse_redis_value(format!("-{line}\r\n").as_bytes());
    let (sent, cause) = of_redis(reply.and_then(redis::Value::extract_error).unwrap_err(), false);
    let error = Error::new(Name::SCHEMA, Some("user:name:ada:string".into()), sent, cause);
    assert_eq!((error.kind(), error.sent(), error.rule()), (ErrorKind::Server, Sent::Yes, None));
    assert!(std::error::Error::source(&error).is_none() && !format!("{error:?}").contains("secret"));
    error.to_string().replace("user:name:ada:string (Name): the server answered ", "")
}

const OTHER: &str = "with an error; its text is not told, since it could hold a value";

#[test]
fn known_errors_are_told_in_our_own_words() {
    assert_eq!(told("READONLY You can't write against secret"), "READONLY: it is a replica, which takes no writes");
    assert_eq!(told("NOAUTH secret"), "NOAUTH: it wants a password first");
    assert_eq!(told("OOM"), "OOM: its memory is full");
    let form = "ERR: it does not know the command in this form; Redis 6.2 or later is needed";
    assert_eq!(told("ERR syntax error near secret"), form);
    let unknown = "ERR: it does not know the command; Redis 6.2 or later is needed";
    assert_eq!(told("ERR unknown command `SET`, with args beginning with: `secret`"), unknown);
    assert_eq!(told("ERR unknown command 'secret' 'secret'"), unknown);
}

#[test]
fn the_node_that_has_the_key_is_told() {
    assert_eq!(told("MOVED 3999 127.0.0.1:6381"), "MOVED: the key is on another node (3999 127.0.0.1:6381)");
    assert_eq!(told("ASK 3999 127.0.0.1:6381 secret"), "ASK: the key is moving to another node (3999 127.0.0.1:6381)");
    assert_eq!(told("MOVED secret"), "MOVED: the key is on another node");
}

#[test]
fn redis_6_wraps_the_errors_of_scripts() {
    assert_eq!(told("@user_script: 8: -OOM secret"), "OOM: its memory is full");
    assert_eq!(
        told("ERR Error running script (call to f_1f): @user_script:1: @user_script: 1: -OOM secret"),
        "OOM: its memory is full"
    );
    assert_eq!(told("@user_script: 8: secret"), OTHER);
    assert_eq!(told("ERR Error running script (call to f_1f): @user_script:1: secret"), OTHER);
}

#[test]
fn what_a_user_may_not_do_in_a_script() {
    for server in [
        "@user_script: 1: The user executing the script can't run this command or subcommand",
        "ERR Error running script (call to f_1f): @user_script:1: @user_script: 1: The user executing the script can't run \
         this command or subcommand",
        "ERR The user executing the script can't run this command or subcommand script: 1f, on @user_script:1.",
        "ERR The user executing the script can't access at least one of the keys mentioned in the command arguments",
        "ERR ACL failure in script: User secret has no permissions to run the 'pttl' command script: on @user_script:1.",
        "ERR ACL failure in script: No permissions to access a key",
        "NOPERM User secret has no permissions to run the 'set' command",
    ] {
        assert_eq!(told(server), "NOPERM: this user may not run all of the command, or not on this key");
    }
}

#[test]
fn nothing_else_is_told() {
    for server in [
        "ERR the proxy cannot do secret",
        "ERR the proxy says: -OOM secret",
        "ERR the proxy says @user_script: 1: -OOM secret",
        "CUSTOM secret",
        "secret rejected",
        "ERR value is not an integer or out of range",
        "ERR",
        "",
    ] {
        assert_eq!(told(server), OTHER);
    }
}

#[test]
fn redis_rs_quotes_answers_in_its_own_errors() {
    let error = RedisError::from(redis::ParsingError::from("value was secret".to_owned()));
    let (_, cause) = of_redis(error, false);
    assert!(matches!(cause, Cause::UnexpectedReply));
    let error = Error::new(Name::SCHEMA, None, Sent::Yes, cause);
    assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
    assert!(std::error::Error::source(&error).is_none());
}

#[test]
fn a_connection_that_fails_tells_no_text_of_the_servers() {
    let told = |error: RedisError| {
        let (sent, cause) = of_redis(error, false);
        let error = Error::new(Name::SCHEMA, Some("k".into()), sent, cause);
        assert!(!format!("{error:?} {:?}", std::error::Error::source(&error)).contains("secret"));
        error.clone().to_string()
    };
    let refused = (redis::ErrorKind::AuthenticationFailed, "Password authentication failed", "secret".to_owned());
    assert_eq!(
        told(refused.into()),
        "k (Name): the connection failed: authentication failed; the command may have been sent"
    );
    for late in [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut] {
        assert_eq!(
            told(io::Error::from(late).into()),
            "k (Name): the connection failed: no answer in time; the command may have been sent"
        );
    }
}

#[test]
fn an_error_is_small_and_goes_everywhere() {
    fn goes_everywhere<T: std::error::Error + Send + Sync + 'static>() {}
    goes_everywhere::<Error>();
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
}
