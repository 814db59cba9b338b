//! Tasks that only find copies, calls that go away, and refreshes.

use std::convert::Infallible;
use std::thread;
use std::time::{Duration, Instant};

use redis_keys::cache::Token;
use redis_keys::prelude::*;
use redis_keys_tests::{Con, StoppedServer};

use super::keys::{Number, Refreshed, RefreshedBriefly};
use super::{LOADED, becomes, copied, hits, new_ids, open, put, read, start, tracked_clients};
use crate::cache::{NO_ERROR, PATIENCE};

const REFRESHED: u64 = 4711;

/// A task that finds all it asks for would never let the task run which receives what has changed: until the copies
/// end by themselves, after two seconds. A busy machine is as slow now and then, and not each time.
#[tokio::test]
async fn a_task_that_only_finds_copies_lets_its_thread_receive_changes() {
    let (_server, cache, mut con) = start();
    let key = Number { id: new_ids() };
    let mut quickest = PATIENCE;
    for round in 0..5 {
        put(&mut con, &key, 2 * round);
        copied(&cache, &key).await;
        let (url, written) = (con.url().to_owned(), key.clone());
        let writer = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            put(&mut Con::blocking(&url), &written, 2 * round + 1);
            Instant::now()
        });
        let started = Instant::now();
        while read(&cache, &key).await != Some(2 * round + 1) {
            assert!(started.elapsed() < PATIENCE, "the change is never seen");
        }
        let written = writer.join().expect("the writer does not panic");
        quickest = quickest.min(written.elapsed());
    }
    assert!(quickest < Duration::from_millis(500), "{quickest:?}");
}

#[tokio::test]
async fn an_invalidation_whose_caller_goes_away_or_fails_ends_the_copy() {
    let (server, _, mut con) = start();
    let (one, two) = (Number { id: new_ids() }, Number { id: new_ids() });
    // With the time limits that programs have.
    let cache = redis_keys::cache::Cache::new(redis_keys::connect(server.url()).expect("the address is valid"));
    for key in [&one, &two] {
        put(&mut con, key, 7);
        assert_eq!(copied(&cache, key).await, Some(7));
    }
    let stopped = StoppedServer::new(&server);
    assert_eq!(read(&cache, &one).await, Some(7));
    let cancelled = tokio::time::timeout(Duration::from_millis(5), cache.invalidate(&one)).await;
    assert!(cancelled.is_err(), "{cancelled:?}");
    assert_eq!(read(&cache, &one).await, Some(LOADED), "the server does not answer, and the copy is gone");
    let failed = cache.invalidate(&two).await;
    assert!(failed.is_err(), "{failed:?}");
    assert_eq!(read(&cache, &two).await, Some(LOADED));
    drop(stopped);
}

/// Cancelled reads leave nothing that keeps later ones from becoming copies.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_whose_caller_goes_away_leaves_nothing() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let mut cancelled = 0;
    let first = new_ids();
    for id in first..first + 300 {
        let key = Number { id };
        put(&mut con, &key, id);
        let patience = Duration::from_micros(fastrand::u64(0..400));
        let call = tokio::spawn({
            let (cache, key) = (cache.clone(), key.clone());
            async move { read(&cache, &key).await }
        });
        tokio::time::sleep(patience).await;
        call.abort();
        cancelled += u64::from(call.await.is_err());
        let _ = read(&cache, &key).await;
        let before = hits(&cache);
        assert_eq!((read(&cache, &key).await, hits(&cache)), (Some(id), before + 1));
    }
    println!("soak: {cancelled} cancelled reads");
    assert_eq!(tracked_clients(&mut con).len(), 1);
}

/// The copy that others get during a refresh does not keep them from trying again.
#[tokio::test]
async fn a_refresh_whose_caller_has_gone_away_is_repeated_after_its_lease() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let key = RefreshedBriefly { id: new_ids() };
    con.ok(key.set(&1).expire_in(Duration::from_secs(60)));
    assert!(con.ok(key.claim_refresh(&Token::random())));
    let started = Instant::now();
    loop {
        let load = || async { Ok::<_, Infallible>(Some(REFRESHED)) };
        match cache.get_or_load(&key, load).await.expect(NO_ERROR) {
            Some(REFRESHED) => break,
            value => assert_eq!(value, Some(1)),
        }
        assert!(started.elapsed() < PATIENCE, "its copy is served for as long as `near` allows");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_value_that_is_due_is_refreshed_and_its_successor_is_copied() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let key = Refreshed { id: new_ids() };
    let read = async || {
        let load = || async { Ok::<_, Infallible>(Some(REFRESHED)) };
        cache.get_or_load(&key, load).await.expect(NO_ERROR)
    };
    // Half of the time is left, and a bit more, for which a copy is served.
    con.ok(key.set(&1).expire_in(Duration::from_millis(30 * 60_000 + 400)));
    let started = Instant::now();
    let mut copies = 0;
    loop {
        let before = hits(&cache);
        let value = read().await;
        copies += u64::from(hits(&cache) > before && value == Some(1));
        if value != Some(1) {
            assert_eq!(value, Some(REFRESHED));
            break;
        }
        assert!(started.elapsed() < PATIENCE, "`near` is longer, but the value is due for a refresh");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(copies > 0);
    assert_eq!(cache.stats().refreshes, 1);
    let _ = read().await;
    let before = hits(&cache);
    assert_eq!((read().await, hits(&cache)), (Some(REFRESHED), before + 1));

    // While another program refreshes, one call asks for the refresh, and the others get the old value from memory.
    let key = Refreshed { id: new_ids() };
    con.ok(key.set(&1).expire_in(Duration::from_secs(60)));
    assert!(con.ok(key.claim_refresh(&Token::random())));
    let before = hits(&cache);
    for _ in 0..10 {
        assert_eq!(super::read(&cache, &key).await, Some(1));
    }
    assert_eq!((hits(&cache), cache.stats().refreshes), (before + 9, 1));
    put(&mut con, &key, 2);
    assert!(becomes(&cache, &key, Some(2), PATIENCE).await.is_some());
    let near = cache.stats().near;
    assert_eq!(near.connections_lost, 0, "{near:?}");
}
