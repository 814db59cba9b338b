//! Futures that are dropped while they wait.

use std::time::{Duration, Instant};

use redis_keys::BlockingConnection;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::types::list::ListEnd;
use redis_keys_tests::{Con, seed, wait_until};

use super::keys::{JOBS, RANKS, TAKEN};
use super::waiter::{client, runtime, waiting};

const LONG: Duration = Duration::from_secs(60);

/// Starts a server, and opens a plain connection and a blocking one.
fn start() -> (Server, Con, BlockingConnection) {
    let server = Server::start().expect("a server starts");
    let (con, waiter) = (Con::blocking(&server.url()), BlockingConnection::new(client(&server.url())));
    (server, con, waiter)
}

/// Drops a future while its command is blocked on the server.
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

/// Waits until no client is blocked. The runtime must run to close a connection.
async fn wait_until_unblocked(con: &mut Con) {
    let started = Instant::now();
    while waiting(con) > 0 {
        assert!(started.elapsed() < LONG / 2, "a client still waits");
        tokio::task::yield_now().await;
    }
}

/// Yields to the runtime for a random time, which may be longer than the reply takes.
async fn yield_repeatedly() {
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
        runtime.block_on(wait_until_unblocked(&mut con));
        con.ok(JOBS.rpush(&7));
        assert_eq!(con.ok(JOBS.lrange(0..9)), [7]);
        let found = runtime.block_on(JOBS.blpop(LONG).query_async(&mut waiter));
        assert_eq!(found.expect("the pop succeeds"), Some(7));
    }
    drop_waiting!(runtime, con, RANKS.bzpopmax(LONG).query_async(&mut waiter));
    runtime.block_on(wait_until_unblocked(&mut con));
    con.ok(RANKS.zadd(&7, 1.0));
    assert_eq!(con.ok(RANKS.zcard()), 1);
}

/// The server has taken the element, and the future is dropped before it reads the reply.
#[test]
fn a_pop_that_is_dropped_when_it_has_taken_an_item_loses_it_and_a_move_does_not() {
    let (_server, mut con, mut waiter) = start();
    let runtime = runtime();
    runtime.block_on(async {
        tokio::select! {
            biased;
            _ = JOBS.blpop(LONG).query_async(&mut waiter) => panic!("there is nothing to take"),
            () = push_when_waiting(&mut con) => {}
        }
    });
    assert_eq!(con.ok(JOBS.llen()), 0);
    let moving = JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Right, LONG);
    runtime.block_on(async {
        tokio::select! {
            biased;
            _ = moving.query_async(&mut waiter) => panic!("there is nothing to take"),
            () = push_when_waiting(&mut con) => {}
        }
    });
    assert_eq!(con.ok(JOBS.llen()) + con.ok(TAKEN.llen()), 1);
}

/// Pushes an item as soon as a client waits. It does not yield then, so that the reply is not read.
async fn push_when_waiting(con: &mut Con) {
    while waiting(con) == 0 {
        tokio::task::yield_now().await;
    }
    con.ok(JOBS.rpush(&7));
}

#[test]
fn a_dropped_move_loses_nothing() {
    const ITEMS: u32 = 500;
    fastrand::seed(seed());
    let (_server, mut con, mut waiter) = start();
    let (mut found, mut dropped) = (Vec::new(), 0);
    runtime().block_on(async {
        for item in 0..ITEMS {
            // Half of the items exist before the move.
            if item % 2 == 0 {
                con.ok(JOBS.rpush(&item));
            }
            let pushing = async {
                yield_repeatedly().await;
                if item % 2 == 1 {
                    con.ok(JOBS.rpush(&item));
                }
                yield_repeatedly().await;
            };
            tokio::select! {
                biased;
                moved = JOBS.blmove(&TAKEN, ListEnd::Left, ListEnd::Right, LONG).query_async(&mut waiter) => {
                    found.extend(moved.expect("the move succeeds"));
                }
                () = pushing => dropped += 1,
            }
            // The item was not pushed before the move was dropped.
            if item % 2 == 1 && con.ok(JOBS.llen()) + con.ok(TAKEN.llen()) == u64::from(item) {
                con.ok(JOBS.rpush(&item));
            }
        }
    });
    println!("soak: {dropped} moves dropped");
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
    fastrand::seed(seed());
    let (_server, mut con, mut waiter) = start();
    let (mut found, mut dropped) = (Vec::new(), 0);
    runtime().block_on(async {
        for item in 0..ITEMS {
            con.ok(JOBS.rpush(&item));
            tokio::select! {
                biased;
                popped = JOBS.blpop(LONG).query_async(&mut waiter) => found.extend(popped.expect("the pop succeeds")),
                () = yield_repeatedly() => dropped += 1,
            }
        }
    });
    let rest = con.ok(JOBS.lrange(0..ITEMS));
    println!("soak: {dropped} pops dropped");
    assert!(found.len() > 10 && dropped > 3, "{} found, {dropped} dropped", found.len());
    assert!(found.len() + rest.len() + dropped >= ITEMS as usize);
    let mut all = [found, rest].concat();
    let before = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), before, "each is returned once");
}
