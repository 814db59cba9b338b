//! Changes while a value is being read: what is kept then is never what was there before, for good.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis_keys::Connection;
use redis_keys::cache::Cache;
use redis_keys::testing::Server;
use redis_keys_tests::Con;

use super::keys::Number;
use super::truth::Truth;
use super::{BOUND_AND_TEST, becomes, copied, kill_tracked_clients, near_cache, new_ids, open, read, text};
use crate::cache::{PATIENCE, multiplexed};

/// The keys that are read and changed at the same time.
const KEYS: u64 = 8;

/// Longer than an old copy may be served.
const FOR_GOOD: Duration = Duration::from_secs(4);

async fn write(con: &mut MultiplexedConnection, keys: std::ops::Range<u64>, value: u64) {
    let mut pipe = redis::pipe();
    for id in keys {
        pipe.cmd("SET").arg(text(&Number { id })).arg(value).arg("PX").arg(3_600_000).ignore();
    }
    pipe.exec_async(con).await.expect("the server replies");
}

/// Changes keys while they are read, and returns how many of their old values are there for good.
async fn race(rounds: u64, flushes: bool) -> u64 {
    let server = Server::start().expect("a server starts");
    let cache = near_cache(&server.url());
    open(&cache).await;
    let mut con = multiplexed(&server.url()).await;
    let (first, mut stale) = (new_ids(), 0);
    for round in 1..=rounds {
        let ids = first + round * KEYS..first + (round + 1) * KEYS;
        write(&mut con, ids.clone(), 1).await;
        let readers: Vec<_> = ids
            .clone()
            .map(|id| {
                let cache = cache.clone();
                tokio::spawn(async move { read(&cache, &Number { id }).await })
            })
            .collect();
        if round % 3 == 0 {
            tokio::time::sleep(Duration::from_micros(fastrand::u64(0..300))).await;
        }
        let expected = if flushes {
            let flush = if round % 2 == 0 { "FLUSHALL" } else { "FLUSHDB" };
            redis::cmd(flush).exec_async(&mut con).await.expect("the server replies");
            super::LOADED
        } else {
            write(&mut con, ids.clone(), 2).await;
            2
        };
        for reader in readers {
            reader.await.expect("no reader panics");
        }
        for id in ids {
            let settled = becomes(&cache, &Number { id }, Some(expected), FOR_GOOD).await;
            stale += u64::from(settled.is_none());
        }
        if stale > 2 {
            break;
        }
    }
    let (near, what) = (cache.stats().near, if flushes { "flushes" } else { "writes" });
    println!("{near:?}");
    println!(
        "soak: {} {what} during a read, {} values overtaken, {stale} kept for good",
        rounds * KEYS,
        near.overtaken
    );
    assert!(near.reads > 0 && near.connections_lost == 0, "{near:?}");
    stale
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_during_a_read_leaves_no_old_copy() {
    assert_eq!(race(250, false).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flush_during_a_read_leaves_no_old_copy() {
    assert_eq!(race(150, true).await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long: `cargo xtask soak` runs it"]
async fn long_a_write_or_flush_during_a_read_leaves_no_old_copy() {
    assert_eq!((race(2_500, false).await, race(1_250, true).await), (0, 0));
}

/// Another client writes versions all the time, while four tasks read, and something else happens.
async fn versions(what: &str, writes: u64, pause: Duration, meanwhile: impl AsyncFnMut(&mut Con)) -> Cache<Connection> {
    let server = Server::start().expect("a server starts");
    let cache = near_cache(&server.url());
    let (key, truth, is_over) = (Number { id: new_ids() }, Truth::new(), Arc::new(AtomicBool::new(false)));
    let mut con = multiplexed(&server.url()).await;
    write(&mut con, key.id..key.id + 1, 0).await;
    copied(&cache, &key).await;
    let readers = truth.readers(&cache, &key, &is_over);
    let mut meanwhile = meanwhile;
    let mut other = Con::blocking(&server.url());
    for version in 1..=writes {
        write(&mut con, key.id..key.id + 1, version).await;
        truth.written();
        tokio::time::sleep(pause).await;
        if version % 10 == 0 {
            meanwhile(&mut other).await;
        }
    }
    assert!(becomes(&cache, &key, Some(writes), BOUND_AND_TEST).await.is_some(), "{:?}", cache.stats().near);
    is_over.store(true, Relaxed);
    for reader in readers {
        reader.await.expect("no reader panics");
    }
    let oldest = truth.ages(what).oldest();
    let stats = cache.stats();
    assert!(oldest < BOUND_AND_TEST, "{oldest:?} {stats:?}");
    assert!(stats.near.hits > writes && stats.near.invalidated > 0, "{stats:?}");
    assert_eq!((stats.unanswered, stats.loads), (0, 0), "{stats:?}");
    drop(server);
    cache
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_of_another_client_are_seen_within_the_bound() {
    versions("while another client writes", 400, Duration::from_millis(2), async |_| {}).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_are_seen_within_the_bound_while_connections_are_killed() {
    killed(600).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long: `cargo xtask soak` runs it"]
async fn long_writes_are_seen_within_the_bound() {
    versions("while another client writes without a pause", 20_000, Duration::ZERO, async |_| {}).await;
    killed(10_000).await;
}

async fn killed(writes: u64) {
    let mut killed = 0;
    let pause = Duration::from_millis(2);
    let kill = async |con: &mut Con| killed += kill_tracked_clients(con);
    let cache = versions("while connections are killed", writes, pause, kill).await;
    println!("soak: {killed} tracked connections killed");
    let near = cache.stats().near;
    assert!(killed > 0 && near.connections_lost > 0, "{near:?}");
}

/// A copy of a connection that is gone is not served: without a push, it would be for two seconds. A busy machine is as
/// slow now and then, and not each time.
#[tokio::test]
async fn the_copies_of_a_connection_end_with_it() {
    let (_server, cache, mut con) = super::start();
    let key = Number { id: new_ids() };
    let mut quickest = PATIENCE;
    for round in 0..5 {
        super::put(&mut con, &key, 2 * round);
        assert!(becomes(&cache, &key, Some(2 * round), PATIENCE).await.is_some());
        copied(&cache, &key).await;
        assert!(kill_tracked_clients(&mut con) > 0);
        super::put(&mut con, &key, 2 * round + 1);
        let took = becomes(&cache, &key, Some(2 * round + 1), BOUND_AND_TEST).await;
        quickest = quickest.min(took.expect("the old copy is not served for longer than the bound"));
    }
    assert!(quickest < Duration::from_millis(500), "{quickest:?}");
}
