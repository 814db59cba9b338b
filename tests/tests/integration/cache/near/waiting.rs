//! Waiting for what another process loads: the server says when it is there.

use std::time::Duration;

use redis_keys::Connection;
use redis_keys::cache::{Cache, Claim, Token};
use redis_keys::prelude::*;
use redis_keys_tests::{Con, until};
use tokio::task::JoinHandle;

use super::{calls, kill_tracked_clients, new_ids, open, start, text, tracked_clients};
use crate::cache::load_source::load;
use crate::cache::{NO_ERROR, finished};

/// A name of which there are no copies. Its lease is longer than any test.
#[derive(RedisKey)]
#[redis_key(waited:name:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 5m))]
struct Name {
    id: u64,
}

/// A name that is kept when it has expired.
#[derive(RedisKey)]
#[redis_key(waited:kept:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 5m, stale = 1h))]
struct Kept {
    id: u64,
}

/// A name with a short lease.
#[derive(RedisKey)]
#[redis_key(waited:hasty:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 700ms))]
struct Hasty {
    id: u64,
}

/// Another process loads a key.
fn claim<K: CachedKey<Value = String>>(con: &mut Con, key: &K) -> Token {
    let token = Token::random();
    assert_eq!(con.ok(key.claim(&token)), Claim::Mine);
    token
}

fn ask<K>(cache: &Cache<Connection>, key: K) -> JoinHandle<Option<String>>
where
    K: CachedKey<Value = String> + Send + Sync + 'static,
{
    let cache = cache.clone();
    tokio::spawn(async move { cache.get_or_load(&key, || load("mine")).await.expect(NO_ERROR) })
}

/// Waits until another call has read a key after it was claimed, over the tracked connection too.
async fn until_read(con: &mut Con, reads: u64) {
    until("the call waits", || calls(con, "get") >= reads + 2).await;
}

#[tokio::test]
async fn a_value_is_there_when_the_server_says_so() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let id = new_ids();
    let token = claim(&mut con, &Name { id });
    let reads = calls(&mut con, "get");
    let waits = ask(&cache, Name { id });
    // Polling would read thirty times in this time.
    tokio::time::sleep(Duration::from_millis(1_600)).await;
    let reads = calls(&mut con, "get") - reads;
    assert!((2..=7).contains(&reads), "{reads}");
    assert!(con.ok(Name { id }.fill(&token, Some("theirs"))));
    assert_eq!(finished(waits).await.as_deref(), Some("theirs"));
    assert_eq!(cache.stats().loads, 1, "that of `open`");
}

#[tokio::test]
async fn many_calls_hear_each_of_its_own_key() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let ids: Vec<_> = (new_ids()..).take(200).collect();
    let claims: Vec<_> = ids.iter().map(|id| claim(&mut con, &Name { id: *id })).collect();
    let reads = calls(&mut con, "get");
    let waiting: Vec<_> = ids.iter().map(|id| ask(&cache, Name { id: *id })).collect();
    until("they wait", || calls(&mut con, "get") >= reads + 400).await;
    for (id, token) in ids.iter().zip(&claims) {
        assert!(con.ok(Name { id: *id }.fill(token, Some(&id.to_string()))));
    }
    for (id, call) in ids.iter().zip(waiting) {
        assert_eq!(finished(call).await, Some(id.to_string()));
    }
}

#[tokio::test]
async fn an_invalidation_lets_the_call_load() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    for removal in ["UNLINK", "FLUSHALL"] {
        let id = new_ids();
        claim(&mut con, &Name { id });
        let reads = calls(&mut con, "get");
        let waits = ask(&cache, Name { id });
        until_read(&mut con, reads).await;
        match removal {
            "UNLINK" => assert!(con.ok(Name { id }.unlink())),
            _ => con.raw::<()>(&["FLUSHALL"]),
        }
        assert_eq!(finished(waits).await.as_deref(), Some("mine"));
    }
}

#[tokio::test]
async fn the_value_is_found_although_the_tracked_connection_is_lost() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let id = new_ids();
    let token = claim(&mut con, &Name { id });
    let reads = calls(&mut con, "get");
    let waits = ask(&cache, Name { id });
    until_read(&mut con, reads).await;
    assert!(!tracked_clients(&mut con).is_empty());
    assert!(kill_tracked_clients(&mut con) > 0);
    assert!(con.ok(Name { id }.fill(&token, Some("theirs"))));
    assert_eq!(finished(waits).await.as_deref(), Some("theirs"));
}

#[tokio::test]
async fn the_end_of_a_lease_is_not_waited_for_longer_than_it_takes() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    let id = new_ids();
    // A process that was killed: the server may say that its lease has ended only when the key is read.
    claim(&mut con, &Hasty { id });
    assert_eq!(finished(ask(&cache, Hasty { id })).await.as_deref(), Some("mine"));
    assert_eq!(con.ok(Hasty { id }.get()).as_deref(), Some("mine"), "it is stored");
}

#[tokio::test]
async fn an_expired_value_is_waited_for_too() {
    let (_server, cache, mut con) = start();
    open(&cache).await;
    for fails in [false, true] {
        let id = new_ids();
        con.ok(Kept { id }.set("old"));
        let _: bool = con.raw(&["PEXPIRE", &text(&Kept { id }), "3000000"]);
        let token = claim(&mut con, &Kept { id });
        let reads = calls(&mut con, "get");
        let waits = ask(&cache, Kept { id });
        until_read(&mut con, reads).await;
        let expected = if fails {
            assert_eq!(con.ok(Kept { id }.fail(&token)).as_deref(), Some("old"));
            "old"
        } else {
            assert!(con.ok(Kept { id }.fill(&token, Some("theirs"))));
            "theirs"
        };
        assert_eq!(finished(waits).await.as_deref(), Some(expected));
    }
}
