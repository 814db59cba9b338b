//! `throughput PART MILLISECONDS` runs workloads on real servers, with redis-keys and by hand in turns. `cargo xtask
//! bench` pins client and servers to different cores, and makes tables of the output: a line for each turn, with the
//! nanoseconds that a command took on each side.

#![allow(clippy::cast_precision_loss, reason = "the figures are far below 2^52")]
#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark cannot go on when these fail")]

mod away;
mod cache;
mod connections;
mod jobs;
mod limit;
mod lock;
mod near;
mod peers;
mod turns;

use cache::Cards;
use connections::{BlockingServer, ClusterConnections, MultiplexedServer, TASKS};
use redis_keys_bench::blooms::MightContain;
use redis_keys_bench::collections::{Add, Fields, Push, Score, SetsExpiry};
use redis_keys_bench::records::{Load, Store, StoreByScript};
use redis_keys_bench::strings::{Get, GetMany, MixedCommands, Set};

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("single") => single(),
        Some("batches") => batches(),
        Some("cluster") => cluster(),
        Some("records") => records(),
        Some("collections") => collections(),
        Some("cache") => cache(),
        Some("jobs") => jobs(),
        Some("limit") => on_tasks(limit::measure),
        Some("lock") => on_tasks(lock::measure),
        Some("near") => near::measure(),
        Some("peers") => on_tasks(peers::measure),
        Some("away") => away::measure(),
        _ => panic!(
            "usage: throughput single|batches|cluster|records|collections|cache|jobs|limit|lock|near|peers|away MILLISECONDS"
        ),
    }
}

fn single() {
    let server = BlockingServer::start();
    server.commands("blocking/set", &Set);
    server.commands("blocking/get", &Get);
    server.commands("blocking/might_contain", &MightContain::new(&server.server.url()));
    let server = MultiplexedServer::start();
    let filter = MightContain::new(&server.server.url());
    for (place, tasks) in [("tasks", TASKS), ("alone", 1)] {
        server.tasks(&format!("{place}/set"), tasks, Set);
        server.tasks(&format!("{place}/get"), tasks, Get);
        server.tasks(&format!("{place}/might_contain"), tasks, filter);
    }
}

fn batches() {
    let server = BlockingServer::start();
    server.batches("blocking/set", &Set, 50);
    server.batches("blocking/get", &Get, 50);
    server.batches("blocking/mixed", &MixedCommands, 10);
    server.batches("blocking/get_many", &GetMany, 1);
    let server = MultiplexedServer::start();
    server.batches("multiplexed/set", &Set, 50);
    server.batches("multiplexed/get", &Get, 50);
    server.batches("multiplexed/mixed", &MixedCommands, 10);
    server.batches("multiplexed/get_many", &GetMany, 1);
}

fn cluster() {
    let cluster = ClusterConnections::start();
    cluster.batches("set", &Set);
    cluster.batches("get", &Get);
}

fn records() {
    let server = BlockingServer::start();
    let by_script = StoreByScript::new(&mut server.connect());
    server.writes("store", &Store);
    server.writes("store_by_script", &by_script);
    server.writes("load", &Load);
    server.batches("store/50", &Store, 50);
    server.batches("store_by_script/50", &by_script, 50);
    server.batches("load/50", &Load, 50);
}

fn collections() {
    let server = BlockingServer::start();
    let con = &mut server.connect();
    let mut workloads = |sets_expiry| {
        (
            Push::new(con, sets_expiry),
            Add::new(con, sets_expiry),
            Score::new(con, sets_expiry),
            Fields::new(con, sets_expiry),
        )
    };
    let (push, add, score, fields) = workloads(SetsExpiry::IfMissing);
    server.writes("lpush", &push);
    server.writes("sadd", &add);
    server.writes("zadd", &score);
    server.writes("hset", &fields);
    server.batches("lpush/50", &push, 50);
    server.batches("sadd/50", &add, 50);
    server.batches("zadd/50", &score, 50);
    server.batches("hset/50", &fields, 50);
    let (push, add, score, fields) = workloads(SetsExpiry::IfNew);
    server.batches("lpush/new", &push, 50);
    server.batches("sadd/new", &add, 50);
    server.batches("zadd/new", &score, 50);
    server.batches("hset/new", &fields, 50);
}

fn cache() {
    let cards = Cards::store();
    for (place, tasks) in [("tasks", TASKS), ("alone", 1)] {
        cards.hits(&format!("{place}/hit"), tasks);
        cards.packed_hits(&format!("{place}/packed_hit"), tasks);
        cards.misses(&format!("{place}/miss"), tasks);
        cards.packed_misses(&format!("{place}/packed_miss"), tasks);
    }
    cards.many("many");
}

fn jobs() {
    jobs::measure("by_20", 20);
    jobs::measure("by_1", 1);
    jobs::latency("latency");
}

/// Measures many tasks, and one.
fn on_tasks(measure: fn(&str, u64)) {
    measure("tasks", TASKS);
    measure("alone", 1);
}
