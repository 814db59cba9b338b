//! Nothing of what a server says is told that could be a value.

use redis::RedisError;

use super::{Cause, Error, ErrorKind, Sent, of_redis};
use crate::{RedisKey as _, testing::keys::Name};

fn told(line: &str) -> String {
    let reply = redis::parse_redis_value(format!("-{line}\r\n").as_bytes());
    let (sent, cause) = of_redis(reply.and_then(redis::Value::extract_error).unwrap_err());
    let error = Error::new(Name::SCHEMA, Some("user:name:ada:string".into()), sent, cause);
    assert_eq!((error.sent(), error.rule()), (Sent::Yes, None));
    error.to_string().replace("user:name:ada:string (Name): the server answered ", "")
}

#[test]
fn known_messages_are_told() {
    assert_eq!(
        told("READONLY You can't write against a read only replica."),
        "READONLY You can't write against a read only replica."
    );
    assert_eq!(told("MOVED 3999 127.0.0.1:6381"), "MOVED 3999 127.0.0.1:6381");
    assert_eq!(told("NOAUTH Authentication required."), "NOAUTH Authentication required.");
    assert_eq!(told("ERR syntax error"), "ERR syntax error");
}

#[test]
fn redis_6_wraps_what_refuses_a_script() {
    assert_eq!(told("@user_script: 8: -OOM command not allowed"), "OOM command not allowed");
    assert_eq!(told("@user_script: 8: secret"), "@user_script:");
}

#[test]
fn arguments_are_not_told() {
    assert_eq!(
        told("ERR unknown command 'GETEX', with args beginning with: 'user:name:ada:string' 'secret'"),
        "ERR unknown command 'GETEX'"
    );
    assert_eq!(
        told("ERR unknown command `GETEX`, with args beginning with: `secret`, "),
        "ERR unknown command `GETEX`"
    );
    assert_eq!(told("ERR the proxy cannot do secret"), "ERR");
    assert_eq!(told("ERR the proxy says: -OOM secret"), "ERR");
    assert_eq!(told("CUSTOM secret"), "CUSTOM");
}

#[test]
fn redis_rs_quotes_answers_in_its_own_errors() {
    let error = RedisError::from(redis::ParsingError::from("value was secret".to_owned()));
    let (_, cause) = of_redis(error);
    assert!(matches!(cause, Cause::UnexpectedReply));
    let error = Error::new(Name::SCHEMA, None, Sent::Yes, cause);
    assert_eq!(error.kind(), ErrorKind::UnexpectedReply);
    assert!(std::error::Error::source(&error).is_none());
}

#[test]
fn an_error_is_small_and_goes_everywhere() {
    fn goes_everywhere<T: std::error::Error + Send + Sync + 'static>() {}
    goes_everywhere::<Error>();
    assert_eq!(size_of::<Error>(), size_of::<usize>());
    assert_eq!(size_of::<Result<(), Error>>(), size_of::<usize>());
}
