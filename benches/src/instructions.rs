//! `instructions WORK WAY COUNT` does some work a number of times and nothing else, for a tool that counts what it takes.
//! The difference between two counts is the work alone.

#![allow(clippy::expect_used, clippy::panic, reason = "nothing can go on when these fail")]

use std::hint::black_box;

use redis_keys_bench::{Floor, Hand, Mock, Ours, Way};

/// Ids of seven digits.
const FIRST: u64 = 1_000_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [work, way, count] = &words[..] else { panic!("usage: instructions WORK WAY COUNT") };
    let count = count.parse().expect("COUNT is a number");
    match way.as_str() {
        Ours::NAME => repeat::<Ours>(work, count),
        Hand::NAME => repeat::<Hand>(work, count),
        Floor::NAME => repeat::<Floor>(work, count),
        _ => panic!("WAY is ours, hand or floor"),
    }
}

fn repeat<W: Way>(work: &str, count: u64) {
    let ids = (FIRST..FIRST + count).map(black_box);
    match work {
        "key" => ids.for_each(|id| drop(black_box(W::key(id)))),
        "command" => ids.for_each(|id| drop(black_box(W::command(id)))),
        "get" => ids.for_each(|id| drop(black_box(W::get(id, &mut Mock)))),
        "set" => ids.for_each(|id| W::set(id, black_box("Ada Lovelace"), &mut Mock)),
        _ => panic!("WORK is key, command, get or set"),
    }
}
