//! `instructions WORK WAY COUNT` does some work a number of times and nothing else, for a tool that counts what it takes.
//! The difference between two counts is the work alone.

#![allow(clippy::expect_used, clippy::panic, reason = "nothing can go on when these fail")]

use std::hint::black_box;

use redis::{Value, pipe};
use redis_keys::batch_iter;
use redis_keys_bench::{
    Floor, Hand, Mock, Ours, VALUE, Way, Work,
    collections::Push,
    records::{Load, Store},
    strings::{Get, GetMany},
};

/// Ids of seven digits.
const FIRST: u64 = 1_000_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [work, way, count] = &words[..] else { panic!("usage: instructions WORK WAY COUNT") };
    let count = count.parse().expect("COUNT is a number");
    match (work.as_str(), way.as_str()) {
        ("key" | "command" | "get" | "set", Ours::NAME) => repeat::<Ours>(work, count),
        ("key" | "command" | "get" | "set", Hand::NAME) => repeat::<Hand>(work, count),
        ("key" | "command" | "get" | "set", Floor::NAME) => repeat::<Floor>(work, count),
        ("batch", Ours::NAME) => ours(&Get, 50, count, text(VALUE)),
        ("batch", Hand::NAME) => by_hand(&Get, 50, count, text(VALUE)),
        ("get_many", Ours::NAME) => ours(&GetMany, 1, count, values()),
        ("get_many", Hand::NAME) => by_hand(&GetMany, 1, count, values()),
        ("load", Ours::NAME) => ours(&Load, 50, count, fields()),
        ("load", Hand::NAME) => by_hand(&Load, 50, count, fields()),
        ("store", Ours::NAME) => ours(&Store, 50, count, Value::Int(6)),
        ("store", Hand::NAME) => by_hand(&Store, 50, count, Value::Array(vec![Value::Int(6), Value::Int(1)])),
        ("lpush", Ours::NAME) => ours(&Push::unsent(), 50, count, Value::Int(1)),
        ("lpush", Hand::NAME) => by_hand(&Push::unsent(), 50, count, Value::Int(1)),
        _ => panic!("WAY is ours, hand or floor, and WORK what `cargo xtask bench instructions` counts"),
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

/// Batches of so many ids, where each command gets the same reply.
fn ours(work: &impl Work, ids: u64, count: u64, reply: Value) {
    let mut con = Mock(reply);
    for first in (0..count).map(|at| FIRST + at * ids) {
        let batch = batch_iter((first..first + ids).map(|id| work.ours(black_box(id))));
        drop(black_box(batch.query(&mut con).expect("it answers")));
    }
}

fn by_hand<W: Work>(work: &W, ids: u64, count: u64, reply: Value) {
    let mut con = Mock(reply);
    for first in (0..count).map(|at| FIRST + at * ids) {
        let mut pipe = pipe();
        (first..first + ids).for_each(|id| work.by_hand(black_box(id), &mut pipe));
        drop(black_box(W::read_all(pipe.query(&mut con).expect("it answers"))));
    }
}

fn repeat<W: Way>(work: &str, count: u64) {
    let ids = (FIRST..FIRST + count).map(black_box);
    let (mut full, mut done) = (Mock(text(VALUE)), Mock(Value::Okay));
    match work {
        "key" => ids.for_each(|id| drop(black_box(W::key(id)))),
        "command" => ids.for_each(|id| drop(black_box(W::command(id)))),
        "get" => ids.for_each(|id| drop(black_box(W::get(id, &mut full)))),
        _ => ids.for_each(|id| W::set(id, black_box(VALUE), &mut done)),
    }
}
