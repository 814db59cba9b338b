//! `instructions WORKLOAD SIDE COUNT` does some work repeatedly and nothing else, for a tool that counts instructions.
//! The difference between two counts is the cost of the work alone.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark cannot go on when these fail")]

mod cache;
mod single;

use std::hint::black_box;

use redis::{ConnectionLike, RedisResult, Value, pipe};
use redis_keys::batch_iter;
use redis_keys_bench::Workload;
use redis_keys_bench::collections::Push;
use redis_keys_bench::records::{Load, Store};
use redis_keys_bench::strings::{Get, GetMany, VALUE};
use single::{ByHand, Legacy, Minimal, Ours, Side};

/// The first id. All have seven digits.
const FIRST_ID: u64 = 1_000_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [workload, side, count] = &words[..] else { panic!("usage: instructions WORKLOAD SIDE COUNT") };
    let count = count.parse().expect("COUNT is a number");
    match (workload.as_str(), side.as_str()) {
        ("key" | "command" | "get" | "set", "redis-keys") => repeat::<Ours>(workload, count),
        ("key" | "command" | "get" | "set", "legacy") => repeat::<Legacy>(workload, count),
        ("key" | "command" | "get" | "set", "by-hand") => repeat::<ByHand>(workload, count),
        ("key" | "command" | "get" | "set", "minimal") => repeat::<Minimal>(workload, count),
        ("batch", "redis-keys") => ours(&Get, 50, count, text(VALUE)),
        ("batch", "by-hand") => by_hand(&Get, 50, count, text(VALUE)),
        ("get_many", "redis-keys") => ours(&GetMany, 1, count, values()),
        ("get_many", "by-hand") => by_hand(&GetMany, 1, count, values()),
        ("load", "redis-keys") => ours(&Load, 50, count, fields()),
        ("load", "by-hand") => by_hand(&Load, 50, count, fields()),
        ("store", "redis-keys") => ours(&Store, 50, count, Value::Int(6)),
        ("store", "by-hand") => by_hand(&Store, 50, count, Value::Array(vec![Value::Int(6), Value::Int(1)])),
        ("lpush", "redis-keys") => ours(&Push::for_mock(), 50, count, Value::Int(1)),
        ("lpush", "by-hand") => by_hand(&Push::for_mock(), 50, count, Value::Int(1)),
        ("cache", side) => cache::repeat(side, count),
        _ => panic!("unknown workload or side: see `cargo xtask bench instructions`"),
    }
}

/// A connection that replies to every command with the same value.
struct Mock(Value);

impl ConnectionLike for Mock {
    fn req_packed_command(&mut self, command: &[u8]) -> RedisResult<Value> {
        black_box(command);
        Ok(self.0.clone())
    }

    fn req_packed_commands(&mut self, commands: &[u8], _offset: usize, count: usize) -> RedisResult<Vec<Value>> {
        black_box(commands);
        Ok((0..count).map(|_| self.0.clone()).collect())
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

fn text(text: &str) -> Value {
    Value::BulkString(text.into())
}

fn values() -> Value {
    Value::Array(vec![text(VALUE); 100])
}

fn fields() -> Value {
    let fields = ["Ada Lovelace", "ada@example.org", "United Kingdom", "1234567", "0.25", "1"];
    Value::Array(fields.map(text).into())
}

/// Runs batches of `ids` ids with redis-keys.
fn ours(workload: &impl Workload, ids: u64, count: u64, reply: Value) {
    let mut con = Mock(reply);
    for first in (0..count).map(|number| FIRST_ID + number * ids) {
        let batch = batch_iter((first..first + ids).map(|id| workload.ours(black_box(id))));
        drop(black_box(batch.query(&mut con).expect("the mock replies")));
    }
}

/// Runs batches of `ids` ids by hand.
fn by_hand<W: Workload>(workload: &W, ids: u64, count: u64, reply: Value) {
    let mut con = Mock(reply);
    for first in (0..count).map(|number| FIRST_ID + number * ids) {
        let mut pipe = pipe();
        (first..first + ids).for_each(|id| workload.by_hand(black_box(id), &mut pipe));
        drop(black_box(W::read_all(pipe.query(&mut con).expect("the mock replies"))));
    }
}

/// Repeats work on a single key.
fn repeat<S: Side>(workload: &str, count: u64) {
    let ids = (FIRST_ID..FIRST_ID + count).map(black_box);
    let (mut full, mut done) = (Mock(text(VALUE)), Mock(Value::Okay));
    match workload {
        "key" => ids.for_each(|id| drop(black_box(S::key(id)))),
        "command" => ids.for_each(|id| drop(black_box(S::command(id)))),
        "get" => ids.for_each(|id| drop(black_box(S::get(id, &mut full)))),
        _ => ids.for_each(|id| S::set(id, black_box(VALUE), &mut done)),
    }
}
