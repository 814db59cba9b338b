//! A connection with scripted replies, for the unit tests of this crate.

use std::collections::VecDeque;
use std::fmt::Debug;
use std::iter;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use redis::{Cmd, Parser, Pipeline, RedisFuture, RedisResult, Value, aio};

use crate::command::blocking::{Blocking, Next};
use crate::testing::{join, line, text, word};
use crate::{Command, Error};

pub(crate) struct Mock {
    /// One line for each command. The first command of a pipeline starts with `>`, the others with `|`.
    pub(crate) sent: Vec<String>,
    replies: VecDeque<RedisResult<Value>>,
    pub(crate) pipelines: bool,
    /// Whether a pipeline returns fewer replies than commands when the replies run out.
    pub(crate) loses_replies: bool,
}

impl Mock {
    pub(crate) fn new(replies: impl IntoIterator<Item = RedisResult<Value>>) -> Self {
        Self { sent: Vec::new(), replies: replies.into_iter().collect(), pipelines: true, loses_replies: false }
    }

    fn next_reply(&mut self, line: String) -> RedisResult<Value> {
        self.sent.push(line);
        self.replies.pop_front().expect("a reply for each command")
    }

    fn next_replies(&mut self, lines: impl IntoIterator<Item = String>) -> RedisResult<Vec<Value>> {
        let lines = lines.into_iter().take(if self.loses_replies { self.replies.len() } else { usize::MAX });
        let marks = iter::once('>').chain(iter::repeat('|'));
        lines.zip(marks).map(|(line, mark)| self.next_reply(format!("{mark} {line}"))).collect()
    }
}

impl redis::ConnectionLike for Mock {
    fn req_packed_command(&mut self, cmd: &[u8]) -> RedisResult<Value> {
        let [line] = <[String; 1]>::try_from(lines(cmd)).unwrap();
        self.next_reply(line)
    }

    fn req_packed_commands(&mut self, cmd: &[u8], offset: usize, count: usize) -> RedisResult<Vec<Value>> {
        assert!(self.pipelines && offset == 0 && count == lines(cmd).len());
        self.next_replies(lines(cmd))
    }

    fn supports_pipelining(&self) -> bool {
        self.pipelines
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

impl aio::ConnectionLike for Mock {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(async move { self.next_reply(line(cmd)) })
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        assert!(offset == 0 && count == pipeline.len());
        Box::pin(async move { self.next_replies(crate::redis_rs::commands(pipeline).map(|cmd| line(&cmd))) })
    }

    fn get_db(&self) -> i64 {
        0
    }
}

/// A mock that is shared, for calls that take a connection by reference.
#[derive(Clone)]
pub(crate) struct SharedMock(Arc<Mutex<Mock>>);

impl SharedMock {
    pub(crate) fn new(replies: impl IntoIterator<Item = RedisResult<Value>>) -> Self {
        Self(Arc::new(Mutex::new(Mock::new(replies))))
    }

    pub(crate) fn sent(&self) -> Vec<String> {
        self.0.lock().unwrap().sent.clone()
    }
}

impl aio::ConnectionLike for SharedMock {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        Box::pin(async move { self.0.lock().unwrap().next_reply(line(cmd)) })
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        pipeline: &'a Pipeline,
        _offset: usize,
        _count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(async move {
            self.0.lock().unwrap().next_replies(crate::redis_rs::commands(pipeline).map(|cmd| line(&cmd)))
        })
    }

    fn get_db(&self) -> i64 {
        0
    }
}

fn lines(mut packed: &[u8]) -> Vec<String> {
    let (mut lines, mut parser) = (Vec::new(), Parser::new());
    while let Ok(Value::Array(words)) = parser.parse_value(&mut packed) {
        let words = words.into_iter().map(|word| redis::from_redis_value::<Vec<u8>>(word).unwrap());
        lines.push(join(words.map(|bytes| word(&bytes).into_owned().into())));
    }
    lines
}

pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the mock never waits"),
    }
}

/// Runs a command synchronously and asynchronously. Both must send the same and return the same.
pub(crate) fn run<T: Debug>(
    command: impl Fn() -> Command<T>,
    replies: impl IntoIterator<Item = RedisResult<Value>>,
) -> (Result<T, Error>, Vec<String>) {
    let replies: Vec<_> = replies.into_iter().collect();
    let mut con = Mock::new(replies.clone());
    let found = command().query(&mut con);
    assert!(con.replies.is_empty(), "unused replies after {:?}", con.sent);
    let mut other = Mock::new(replies);
    let other_found = block_on(command().query_async(&mut other));
    assert_eq!((format!("{found:?}"), &con.sent), (format!("{other_found:?}"), &other.sent));
    (found, con.sent)
}

#[allow(clippy::unnecessary_wraps, reason = "it is used beside error replies")]
pub(crate) fn bulk(text: &str) -> RedisResult<Value> {
    Ok(Value::BulkString(text.into()))
}

/// An error reply, as asynchronous connections return it.
pub(crate) fn server_error(text: &str) -> RedisResult<Value> {
    redis::parse_redis_value(format!("-{text}\r\n").as_bytes())
}

/// The redis commands: first to take, then to wait.
pub(crate) fn sends<T>(blocking: Blocking<T>) -> Vec<Vec<String>> {
    let wait = blocking.wait;
    let Ok(strategy) = blocking.strategy else { return Vec::new() };
    let take = text(strategy.take(wait));
    let next = strategy.next(wait).map(|next| match next {
        Next::Take(take) => text(take),
        Next::Watch(watch) => text(watch),
    });
    [Some(take), next].into_iter().flatten().filter_map(Result::ok).collect()
}

/// The command that is sent first.
pub(crate) fn takes<T>(blocking: Blocking<T>) -> Command<Option<T>> {
    let wait = blocking.wait;
    blocking.strategy.map_or_else(Command::refused, |strategy| strategy.take(wait))
}

/// The command that waits and takes, if it is a second one.
pub(crate) fn awaits<T>(blocking: Blocking<T>) -> Option<Command<Option<T>>> {
    match blocking.strategy.ok()?.next(blocking.wait)? {
        Next::Take(take) => Some(take),
        Next::Watch(_) => None,
    }
}
