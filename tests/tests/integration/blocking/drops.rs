//! Futures that are dropped while they wait.

use std::time::{Duration, Instant};

use redis_keys::testing::Server;
use redis_keys::{BlockingConnection, list::ListEnd, prelude::*};
use redis_keys_tests::{Con, wait_until};

use super::keys::{JOBS, RANKS, TAKEN};
use super::waiter::{client, runtime, waiting};

const LONG: Duration = Duration::from_secs(60);

/// A server, a connection to it, and one for those who wait.
fn start() -> (Server, Con, BlockingConnection) {
    let server = Server::start().expect("a server starts");
    let (con, waiter) = (Con::blocking(&server.url()), BlockingConnection::new(client(&server.url())));
    (server, con, waiter)
}

/// Drops a future while the server waits for it.
macro_rules! drop_waiting {
    ($runtime:ident, $con:ident, $taking:expr) => {
        $runtime.block_on(async {
            tokio::select! {
                biased;
                _ = $taking => panic!("there is nothing to take"),
                () = async {
                    while waiting(&mut $con) == 0 {
                        tokio::task::yield_now().await;
                    }
                } => {}
            }
        })
    };
}

/// Waits until the server knows that nobody waits any more. What is left of a connection goes when its runtime runs.
async fn gone(con: &mut Con) {
    let started = Instant::now();
    while waiting(con) > 0 {
        assert!(started.elapsed() < LONG / 2, "a client still waits");
        tokio::task::yield_now().await;
    }
}

/// Lets the runtime go on with everything else: for no time, for longer than an answer takes, and anything between.
async fn some_turns() {
    for _ in 0..1_u32 << fastrand::u32(0..11) {
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_dropped_pop_takes_nothing() {
    let (_server, mut con, mut waiter) = start();
    let runtime = runtime();
    for _ in 0..20 {
        drop_waiting!(runtime, con, JOBS.blpop(LONG).query_async(&mut waiter));
        runtime.block_on(gone(&mut con));
        con.ok(JOBS.rpush(&7));
        assert_eq!(con.ok(JOBS.lrange(0..9)), [7]);
        let found = runtime.block_on(JOBS.blpop(LONG).query_async(&mut waiter));
        assert_eq!(found.expect("it is there"), Some(7));
    }
    drop_waiting!(runtime, con, RANKS.bzpopmax(LONG).query_async(&mut waiter));
    runtime.block_on(gone(&mut con));
    con.ok(RANKS.zadd(&7, 1.0));
    assert_eq!(con.ok(RANKS.zcard()), 1);
}

#[test]
fn a_dropped_move_loses_nothing() {
    const ITEMS: u32 = 500;
    let (_server, mut con, mut waiter) = start();
    let (mut found, mut dropped) = (Vec::new(), 0);
    runtime().block_on(async {
        for item in 0..ITEMS {
            // Half of them are there before.
            if item % 2 == 0 {
                con.ok(JOBS.rpush(&item));
            }
            let pushing = async {
                some_turns().await;
                if item % 2 == 1 {
                    con.ok(JOBS.rpush(&item));
                }
                some_turns().await;
            };
            tokio::select! {
                biased;
                moved = JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Right, LONG).query_async(&mut waiter) => {
                    found.extend(moved.expect("the move succeeds"));
                }
                () = pushing => dropped += 1,
            }
            // Those of which nothing was pushed yet.
            if item % 2 == 1 && con.ok(JOBS.llen()) + con.ok(TAKEN.llen()) == u64::from(item) {
                con.ok(JOBS.rpush(&item));
            }
        }
    });
    println!("{} found, {dropped} dropped", found.len());
    assert!(found.len() > 10 && dropped > 3, "{} found, {dropped} dropped", found.len());
    wait_until("no client waits", || waiting(&mut con) == 0);
    let (rest, moved) = (con.ok(JOBS.lrange(0..ITEMS)), con.ok(TAKEN.lrange(0..ITEMS)));
    assert!(found.iter().all(|item| moved.contains(item)));
    let mut all = [rest, moved].concat();
    all.sort_unstable();
    assert_eq!(all, (0..ITEMS).collect::<Vec<_>>());
    con.assert_all_expire();
}

#[test]
fn a_dropped_pop_loses_at_most_one_item_and_repeats_none() {
    const ITEMS: u32 = 500;
    let (_server, mut con, mut waiter) = start();
    let (mut found, mut dropped) = (Vec::new(), 0);
    runtime().block_on(async {
        for item in 0..ITEMS {
            con.ok(JOBS.rpush(&item));
            tokio::select! {
                biased;
                popped = JOBS.blpop(LONG).query_async(&mut waiter) => found.extend(popped.expect("the pop succeeds")),
                () = some_turns() => dropped += 1,
            }
        }
    });
    let rest = con.ok(JOBS.lrange(0..ITEMS));
    println!("{} found, {} there still, {dropped} dropped", found.len(), rest.len());
    assert!(found.len() > 10 && dropped > 3, "{} found, {dropped} dropped", found.len());
    assert!(found.len() + rest.len() + dropped >= ITEMS as usize);
    let (mut all, len) = ([found, rest].concat(), |all: &[u32]| all.len());
    let before = len(&all);
    all.sort_unstable();
    all.dedup();
    assert_eq!(len(&all), before, "each is returned once");
}
