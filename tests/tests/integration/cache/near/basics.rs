//! What is answered from memory, and on which connections.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redis_keys::SharedConnection;
use redis_keys::cache::Cache;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, until};

use super::keys::{Brief, Number, Text};
use super::{LOADED, calls, copied, hits, near_cache, new_ids, open, put, read, start, tracked_clients};
use crate::cache::{NO_ERROR, PATIENCE, load_source::Source, manager, multiplexed};

/// The commands that a read or a load sends.
fn commands(con: &mut Con) -> u64 {
    ["get", "pttl", "mget", "evalsha", "eval"].iter().map(|command| calls(con, command)).sum()
}

#[tokio::test]
async fn a_copy_is_the_answer_to_all_further_calls_without_a_command() {
    let (_server, cache, mut con) = start();
    let key = Number { id: new_ids() };
    put(&mut con, &key, 7);
    assert_eq!(copied(&cache, &key).await, Some(7));
    let (sent, before) = (commands(&mut con), cache.stats());
    for _ in 0..1_000 {
        assert_eq!(read(&cache, &key).await, Some(7));
    }
    assert_eq!(commands(&mut con), sent);
    let stats = cache.stats();
    assert_eq!(stats.near.hits, before.near.hits + 1_000);
    assert_eq!((stats.near.reads, stats.hits), (before.near.reads, before.hits), "{stats:?}");
    assert!(stats.near.is_on && stats.near.copies == 1 && stats.near.bytes > 0, "{stats:?}");
    assert_eq!(cache.clone().stats(), stats, "clones share the copies");
}

#[tokio::test]
async fn what_was_loaded_is_copied_by_the_next_read() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let key = Number { id: new_ids() };
    let before = commands(&mut con);
    assert_eq!(read(&cache, &key).await, Some(LOADED));
    assert_eq!(read(&cache, &key).await, Some(LOADED));
    let (sent, hits_before) = (commands(&mut con), hits(&cache));
    assert!(sent > before);
    assert_eq!(read(&cache, &key).await, Some(LOADED));
    assert_eq!((commands(&mut con), hits(&cache)), (sent, hits_before + 1));
    con.assert_all_expire();
}

#[tokio::test]
async fn that_there_is_no_value_is_copied_too() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let (key, source) = (Text { id: new_ids() }, Source::open());
    let nothing = || async { Ok::<_, Infallible>(None) };
    for _ in 0..2 {
        assert_eq!(cache.get_or_load(&key, nothing).await.expect(NO_ERROR), None);
    }
    let (sent, hits_before) = (commands(&mut con), hits(&cache));
    for _ in 0..10 {
        assert_eq!(cache.get_or_load(&key, || source.load("Ada")).await.expect(NO_ERROR), None);
        assert_eq!(cache.get_or_load_shared(&key, || source.load("Ada")).await.expect(NO_ERROR), None);
    }
    assert_eq!((commands(&mut con), hits(&cache), source.loads()), (sent, hits_before + 20, 0));
    put(&mut con, &key, "Bob");
    let bob = || async { cache.get_or_load(&key, || source.load("Ada")).await.expect(NO_ERROR) };
    let started = Instant::now();
    while bob().await.as_deref() != Some("Bob") {
        assert!(started.elapsed() < PATIENCE);
    }
}

#[tokio::test]
async fn callers_share_one_copy_until_the_key_changes() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let (key, source) = (Text { id: new_ids() }, Source::open());
    put(&mut con, &key, "Ada");
    let shared =
        || async { cache.get_or_load_shared(&key, || source.load("Eve")).await.expect(NO_ERROR).expect("a value") };
    let first = shared().await;
    assert_eq!(*first, "Ada");
    for _ in 0..10 {
        assert!(Arc::ptr_eq(&first, &shared().await), "the read that has made the copy returns the copy");
    }
    // A clone is the caller's own.
    let mut own = cache.get_or_load(&key, || source.load("Eve")).await.expect(NO_ERROR).expect("a value");
    own.push('!');
    assert_eq!(*shared().await, "Ada");

    put(&mut con, &key, "Ada");
    let started = Instant::now();
    let second = loop {
        let value = shared().await;
        if !Arc::ptr_eq(&first, &value) {
            break value;
        }
        assert!(started.elapsed() < PATIENCE, "the copy was not forgotten");
        tokio::task::yield_now().await;
    };
    assert_eq!((&**first, &**second, source.loads()), ("Ada", "Ada", 0));
}

#[tokio::test]
async fn a_detached_call_is_answered_by_a_copy_and_makes_one() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let first = new_ids();
    put(&mut con, &Number { id: first }, 7);
    let detached = async |id| {
        let load = || async { Ok::<_, Infallible>(Some(LOADED)) };
        cache.get_or_load_detached(Number { id: first + id }, load).await.expect(NO_ERROR)
    };
    assert_eq!(detached(0).await, Some(7));
    let (sent, hits_before) = (commands(&mut con), hits(&cache));
    assert_eq!(detached(0).await, Some(7));
    assert_eq!((commands(&mut con), hits(&cache)), (sent, hits_before + 1));
    for _ in 0..2 {
        assert_eq!(detached(1).await, Some(LOADED));
    }
    let hits_before = hits(&cache);
    assert_eq!((detached(1).await, hits(&cache)), (Some(LOADED), hits_before + 1));
}

#[tokio::test]
async fn of_many_keys_those_without_a_copy_are_read_in_one_command() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let first = new_ids();
    let keys: Vec<_> = (first..first + 6).map(|id| Number { id }).collect();
    for key in &keys[..4] {
        put(&mut con, key, key.id);
        assert_eq!(copied(&cache, key).await, Some(key.id));
    }
    let many = async |keys: &[Number]| {
        let load = |missing: Vec<&Number>| {
            let rows: Vec<_> = missing.into_iter().map(|key| (key.clone(), LOADED)).collect();
            async { Ok::<_, Infallible>(rows) }
        };
        cache.get_or_load_many(keys, load).await.expect(NO_ERROR)
    };
    let (sent, hits_before) = (commands(&mut con), hits(&cache));
    // In any order, and one of them twice.
    let copied = [3, 0, 2, 0].map(|index: usize| keys[index].clone());
    assert_eq!(many(&copied).await, [first + 3, first, first + 2, first].map(Some));
    assert_eq!((commands(&mut con), hits(&cache)), (sent, hits_before + 4));

    put(&mut con, &keys[4], 4);
    let mixed = [4, 1, 5].map(|index: usize| keys[index].clone());
    let sent = calls(&mut con, "mget");
    assert_eq!(many(&mixed).await, [Some(4), Some(first + 1), Some(LOADED)]);
    assert_eq!(calls(&mut con, "mget"), sent + 1);
    assert!(cache.invalidate(&keys[1]).await.expect("the server replies"));
    assert_eq!(many(&mixed).await, [Some(4), Some(LOADED), Some(LOADED)]);
}

/// Reads without copies, and returns how many of 10 reads were sent.
async fn reads_sent<C: SharedConnection>(cache: &Cache<C>, con: &mut Con, key: &Brief) -> u64 {
    put(con, key, 7);
    let sent = calls(con, "get");
    for _ in 0..10 {
        assert_eq!(read(cache, key).await, Some(7));
        // An attempt to open a connection would have this time.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert!(!cache.stats().near.is_on && hits(cache) == 0, "{:?}", cache.stats());
    assert_eq!(tracked_clients(con), [""; 0]);
    calls(con, "get") - sent
}

#[tokio::test]
async fn other_connections_work_without_copies() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let key = Brief { id: new_ids() };
    let on_multiplexed = Cache::new(multiplexed(&server.url()).await);
    assert_eq!(reads_sent(&on_multiplexed, &mut con, &key).await, 10);
    let on_manager = Cache::new(manager(&server.url()).await);
    assert_eq!(reads_sent(&on_manager, &mut con, &key).await, 10);
    put(&mut con, &key, 8);
    assert_eq!(read(&on_manager, &key).await, Some(8));
    assert!(on_manager.invalidate(&key).await.expect("the server replies"));
    assert_eq!(read(&on_manager, &key).await, Some(LOADED));
}

#[tokio::test]
async fn no_bytes_are_no_copies() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let (key, cache) = (Brief { id: new_ids() }, near_cache(&server.url()).with_near_bytes(0));
    assert_eq!(reads_sent(&cache, &mut con, &key).await, 10);
}

#[tokio::test]
async fn keys_without_near_open_no_connection() {
    let (_server, cache, mut con) = start();
    let source = Source::open();
    for _ in 0..3 {
        let found = cache.get_or_load_shared(&crate::cache::keys::Name { id: 77 }, || source.load("Ada")).await;
        assert_eq!(found.expect(NO_ERROR).as_deref().map(String::as_str), Some("Ada"));
    }
    assert_eq!((tracked_clients(&mut con).len(), source.loads(), hits(&cache)), (0, 1, 0));
}

#[tokio::test]
async fn a_cache_that_is_dropped_closes_its_connection() {
    let (_server, cache, mut con) = start();
    let key = Number { id: new_ids() };
    copied(&cache, &key).await;
    assert_eq!(tracked_clients(&mut con).len(), 1);
    let clone = cache.clone();
    drop(cache);
    let before = hits(&clone);
    assert_eq!((read(&clone, &key).await, hits(&clone)), (Some(LOADED), before + 1));
    drop(clone);
    until("the connection is closed", || tracked_clients(&mut con).is_empty()).await;
}

/// A copy that was made in a runtime which has ended since is not served in another one.
#[test]
fn copies_end_with_their_runtime() {
    let (_server, cache, mut con) = start();
    let key = Number { id: new_ids() };
    put(&mut con, &key, 1);
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let first = runtime();
    assert_eq!(first.block_on(copied(&cache, &key)), Some(1));
    drop(first);
    put(&mut con, &key, 2);
    runtime().block_on(async {
        assert_eq!(read(&cache, &key).await, Some(2));
        assert_eq!(copied(&cache, &key).await, Some(2));
    });
}
