//! `turns PART`: work by this library and by hand, in turns, on a real server. `cargo xtask bench` pins client and server to
//! different cores, and makes tables of what is printed: a line for each turn, with the nanoseconds that each way took.

#![allow(clippy::cast_precision_loss, reason = "nobody measures for weeks")]
#![allow(clippy::expect_used, clippy::panic, reason = "nothing can go on when these fail")]

mod asynchronous;
mod blocking;
mod cluster;
mod turns;

use redis_keys_bench::{
    collections::{Add, Fields, Push, Score, Starts},
    records::{Load, Store, StoreByScript},
    strings::{Get, GetMany, Mixed, Set},
};

use crate::{asynchronous::Multiplexed, blocking::Blocking};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("batches") => batches(),
        Some("cluster") => cluster::run(),
        Some("records") => records(),
        Some("collections") => collections(),
        _ => panic!("usage: turns batches|cluster|records|collections"),
    }
}

fn batches() {
    let server = Blocking::start();
    server.batches("blocking/set", &Set, 50);
    server.batches("blocking/get", &Get, 50);
    server.batches("blocking/mixed", &Mixed, 10);
    server.batches("blocking/get_many", &GetMany, 1);
    let server = Multiplexed::start();
    server.batches("multiplexed/set", &Set, 50);
    server.batches("multiplexed/get", &Get, 50);
    server.batches("multiplexed/mixed", &Mixed, 10);
    server.batches("multiplexed/get_many", &GetMany, 1);
}

fn records() {
    let server = Blocking::start();
    let by_script = StoreByScript::new(&mut server.connect());
    server.singles("store", &Store);
    server.singles("store_by_script", &by_script);
    server.singles("load", &Load);
    server.batches("store/50", &Store, 50);
    server.batches("store_by_script/50", &by_script, 50);
    server.batches("load/50", &Load, 50);
}

fn collections() {
    let server = Blocking::start();
    let con = &mut server.connect();
    let mut made =
        |starts| (Push::new(con, starts), Add::new(con, starts), Score::new(con, starts), Fields::new(con, starts));
    let (push, add, score, fields) = made(Starts::Missing);
    server.singles("lpush", &push);
    server.singles("sadd", &add);
    server.singles("zadd", &score);
    server.singles("hset", &fields);
    server.batches("lpush/50", &push, 50);
    server.batches("sadd/50", &add, 50);
    server.batches("zadd/50", &score, 50);
    server.batches("hset/50", &fields, 50);
    let (push, add, score, fields) = made(Starts::New);
    server.batches("lpush/new", &push, 50);
    server.batches("sadd/new", &add, 50);
    server.batches("zadd/new", &score, 50);
    server.batches("hset/new", &fields, 50);
}
