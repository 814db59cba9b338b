//! The mock of `redis-test`, with which users test without a server.

use redis::{ErrorKind, ServerErrorKind, Value};
use redis_keys::prelude::*;
use redis_keys::{Command, batch};
use redis_test::{IntoRedisCmdBytes, MockCmd, MockRedisConnection};

use super::block_on;
use super::commands::{Clicks, Name};

/// The bytes that a command sends.
struct PackedCommand(Vec<u8>);

impl PackedCommand {
    fn of<T>(command: impl Into<Command<T>>) -> Self {
        Self(command.into().packed().expect("the command is valid"))
    }
}

impl IntoRedisCmdBytes for PackedCommand {
    fn into_redis_cmd_bytes(self) -> Vec<u8> {
        self.0
    }
}

fn mock(commands: impl IntoIterator<Item = MockCmd>) -> MockRedisConnection {
    MockRedisConnection::new(commands).assert_all_commands_consumed()
}

#[test]
fn a_mock_replies_to_single_commands() {
    let commands = || {
        [
            MockCmd::new(redis::cmd("GET").arg("visitor:name:1:string"), Ok("Ada")),
            MockCmd::new(PackedCommand::of(Clicks { id: 1 }.incr()), Ok(7)),
            MockCmd::new(PackedCommand::of(Clicks { id: 1 }.unlink()), Ok(1)),
        ]
    };
    let mut con = mock(commands());
    assert_eq!(Name { id: 1 }.get().query(&mut con).expect("the mock expects it").as_deref(), Some("Ada"));
    assert_eq!(Clicks { id: 1 }.incr().query(&mut con).expect("the mock expects it"), 7);
    assert!(Clicks { id: 1 }.unlink().query(&mut con).expect("the mock expects it"));
    let mut con = mock(commands());
    block_on(async {
        assert_eq!(
            Name { id: 1 }.get().query_async(&mut con).await.expect("the mock expects it").as_deref(),
            Some("Ada")
        );
        assert_eq!(Clicks { id: 1 }.incr().query_async(&mut con).await.expect("the mock expects it"), 7);
        assert!(Clicks { id: 1 }.unlink().query_async(&mut con).await.expect("the mock expects it"));
    });
}

#[test]
fn a_mock_replies_to_a_batch() {
    let commands = || {
        let mut pipeline = redis::pipe();
        pipeline.cmd("GET").arg("visitor:name:1:string").cmd("GET").arg("visitor:clicks:1:string");
        let found = [Value::BulkString(b"Ada".to_vec()), Value::BulkString(b"7".to_vec())].to_vec();
        [MockCmd::with_values(pipeline, Ok(found))]
    };
    let reads = || batch((Name { id: 1 }.get(), Clicks { id: 1 }.get()));
    let expected = (Some("Ada".to_owned()), Some(7));
    assert_eq!(reads().query(&mut mock(commands())).expect("the mock expects it"), expected);
    let found = block_on(reads().query_async(&mut mock(commands())));
    assert_eq!(found.expect("the mock expects it"), expected);
}

#[test]
fn errors_of_a_mock_show_no_values() {
    let error = (ErrorKind::Server(ServerErrorKind::ReadOnly), "x", "secret".to_owned());
    let mut con = mock([MockCmd::new(PackedCommand::of(Clicks { id: 1 }.unlink()), Err::<Value, _>(error.into()))]);
    let error = Clicks { id: 1 }.unlink().query(&mut con).expect_err("the mock returns an error");
    assert_eq!(error.kind(), redis_keys::ErrorKind::Server);
    assert!(error.to_string().contains("READONLY") && !error.to_string().contains("secret"), "{error}");
    // The mock quotes unexpected commands, which can contain values.
    let error = Name { id: 1 }.set("secret").query(&mut mock([])).expect_err("the mock expects no command");
    assert!(!format!("{error}{error:?}{:?}", std::error::Error::source(&error)).contains("secret"), "{error}");
}
