//! Replies of a server: whatever it sends, accessors return a value or an error, and no error contains a value.

#[allow(clippy::expect_used, deprecated, reason = "it is code of a test")]
#[path = "../../tests/tests/integration/hostile/calls.rs"]
mod calls;

use std::borrow::Borrow;
use std::collections::VecDeque;
use std::io;

use redis::{ConnectionLike, Parser, RedisResult, Value};
use redis_keys::jobs::Receipt;
use redis_keys::prelude::*;
use redis_keys::purge::PurgeResult;
use redis_keys::scan::{KeyScan, Scan};
use redis_keys::types::copies::{CopiedKey, GetCopy};
use redis_keys::types::string::Update;
use redis_keys::{Batch, Error, Stored, atomic, batch};

use self::calls::CALLS;
use super::MARKER;

/// The most elements that are taken of a scan. The replies of an input end before that.
const MOST_ELEMENTS: usize = 10_000;

/// Runs the call that the first byte names with the replies in the rest, and with a text in each of their values.
pub fn replies(bytes: &[u8]) {
    let Some((call, mut rest)) = bytes.split_first() else { return };
    let mut parser = Parser::new();
    let mut replies = Vec::new();
    while let Ok(reply) = parser.parse_value(&mut rest) {
        replies.push(reply);
    }
    let (_, call) = CALLS[usize::from(*call) % CALLS.len()];
    let marked: Vec<_> = replies.iter().cloned().map(with_marker).collect();
    for replies in [replies, marked] {
        let _jitter = redis_keys::testing::fix_jitter(0.5);
        call(&mut Con::new(replies), 7);
    }
}

/// The reply with a text at the end of each string.
fn with_marker(reply: Value) -> Value {
    let all = |values: Vec<Value>| values.into_iter().map(with_marker).collect();
    match reply {
        Value::BulkString(bytes) => Value::BulkString([bytes.as_slice(), MARKER.as_bytes()].concat()),
        Value::SimpleString(text) => Value::SimpleString(text + MARKER),
        Value::VerbatimString { format, text } => Value::VerbatimString { format, text: text + MARKER },
        Value::Array(values) => Value::Array(all(values)),
        Value::Set(values) => Value::Set(all(values)),
        Value::Push { kind, data } => Value::Push { kind, data: all(data) },
        Value::Map(pairs) => {
            Value::Map(pairs.into_iter().map(|(key, value)| (with_marker(key), with_marker(value))).collect())
        }
        other => other,
    }
}

/// A job that was taken, and a dead one.
fn jobs_of(reply: &[u8]) -> Vec<Receipt> {
    let mut con = Con::new(redis::parse_redis_value(reply));
    let taken = calls::Jobs { id: 1 }.take(2).query(&mut con.server);
    taken.into_iter().flat_map(|taken| taken.jobs).map(|job| job.receipt).collect()
}

/// A connection with a few replies, and methods as the connections of integration tests have them.
pub(super) struct Con {
    pub(super) server: Server,
}

impl Con {
    pub(super) fn new(replies: impl IntoIterator<Item = Value>) -> Self {
        Self { server: Server(replies.into_iter().collect()) }
    }

    fn run<T>(&mut self, command: impl Into<Command<T>>) -> Result<T, Error> {
        checked(command.into().query(&mut self.server))
    }

    fn batch<B: Batch>(&mut self, commands: B) -> Result<B::Output, Error> {
        checked(batch(commands).query(&mut self.server))
    }

    fn batch_each<B: Batch>(&mut self, commands: B) -> B::Each {
        batch(commands).query_each(&mut self.server)
    }

    fn atomic<B: Batch>(&mut self, commands: B) -> Result<B::Output, Error> {
        checked(atomic(commands).query(&mut self.server))
    }

    fn update<K, F, N>(&mut self, update: Update<'_, K, F>) -> Result<N, Error>
    where
        K: StringKey,
        F: FnMut(Option<<K::Value as Stored>::Output>) -> N,
        N: Borrow<<K::Value as Stored>::Input>,
    {
        checked(update.query(&mut self.server))
    }

    fn purge(&mut self, key: &impl RedisKey) -> Result<PurgeResult, Error> {
        checked(key.purge().query(&mut self.server))
    }

    fn get_copy<K: CopiedKey>(&mut self, get: GetCopy<'_, K>) -> Result<Option<<K::Value as Stored>::Output>, Error> {
        checked(get.query(&mut self.server))
    }

    fn scan<T: Send>(&mut self, scan: Scan<T>) -> Result<Vec<T>, Error> {
        checked(scan.iter(&mut self.server).take(MOST_ELEMENTS).collect())
    }

    fn collect<T: Send>(&mut self, scan: Scan<T>) -> Result<Vec<T>, Error> {
        checked(scan.query(&mut self.server))
    }

    fn scan_keys<K: for<'k> ParseKey<'k> + Send>(&mut self, scan: KeyScan<K>) -> Result<Vec<K>, Error> {
        checked(scan.iter(&mut self.server).take(MOST_ELEMENTS).collect())
    }
}

fn checked<T>(result: Result<T, Error>) -> Result<T, Error> {
    if let Err(error) = &result {
        for text in [error.to_string(), format!("{error:?}")] {
            assert!(!text.contains(MARKER), "an error contains a value: {text}");
        }
    }
    result
}

/// A server that closes the connection after its last reply.
pub(super) struct Server(VecDeque<Value>);

impl Server {
    fn next_reply(&mut self) -> RedisResult<Value> {
        self.0.pop_front().ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof).into())
    }
}

impl ConnectionLike for Server {
    fn req_packed_command(&mut self, _command: &[u8]) -> RedisResult<Value> {
        self.next_reply()?.extract_error()
    }

    fn req_packed_commands(&mut self, _commands: &[u8], offset: usize, count: usize) -> RedisResult<Vec<Value>> {
        let mut replies = (0..offset + count).map(|_| self.next_reply()).collect::<RedisResult<Vec<_>>>()?;
        Ok(replies.split_off(offset))
    }

    fn get_db(&self) -> i64 {
        0
    }

    fn check_connection(&mut self) -> bool {
        true
    }

    fn is_open(&self) -> bool {
        true
    }
}
