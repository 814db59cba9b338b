//! Servers that do not say what has changed: all works as without `near`, and one event says so.

use std::time::Duration;

use redis_keys::Connection;
use redis_keys::cache::Cache;
use redis_keys::testing::Server;
use redis_keys_tests::Con;

use super::keys::{Beside, Number};
use super::{LOADED, calls, copied, hits, near_cache, new_ids, put, read};
use crate::cache::multiplexed;
use crate::observe::observed;

const OFF: &str = "near copies are off: the server does not track keys";

/// A user that may do everything but CLIENT, a cache of theirs, and another client.
fn start() -> (Server, Cache<Connection>, Con) {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let _: String = con.raw(&["ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all", "-client"]);
    let url = format!("redis://app:secret@127.0.0.1:{}/", server.port());
    (server, near_cache(&url), con)
}

/// Reads without copies.
async fn read_all(cache: &Cache<Connection>, con: &mut Con, key: &Number) {
    put(con, key, 7);
    let sent = calls(con, "get");
    for _ in 0..30 {
        assert_eq!(read(cache, key).await, Some(7));
        // Enough for an attempt to connect, and for another one.
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!((calls(con, "get") - sent, hits(cache)), (30, 0));
    put(con, key, 8);
    assert_eq!(read(cache, key).await, Some(8));
    assert!(cache.invalidate(key).await.expect("the server replies"));
    assert_eq!(read(cache, key).await, Some(LOADED));
    let stats = cache.stats();
    assert!(!stats.near.is_on && stats.near.copies == 0, "{stats:?}");
    assert_eq!((stats.server_errors, stats.unanswered), (0, 0), "{stats:?}");
}

#[tokio::test]
async fn a_user_without_the_right_reads_as_without_near_and_one_event_says_so() {
    observed!(_recorder, subscriber);
    let (_server, cache, mut con) = start();
    read_all(&cache, &mut con, &Number { id: new_ids() }).await;
    let mut lines = subscriber.lines();
    lines.retain(|line| !line.contains(" span "));
    assert_eq!(lines.len(), 1, "{lines:#?}");
    assert!(lines[0].starts_with("WARN ") && lines[0].contains(OFF) && lines[0].contains("kind="), "{lines:#?}");
    assert!(!lines[0].contains("app"), "{lines:#?}");
}

#[tokio::test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
async fn long_a_user_who_is_given_the_right_gets_copies() {
    observed!(_recorder, subscriber);
    let (_server, cache, mut con) = start();
    read_all(&cache, &mut con, &Number { id: new_ids() }).await;
    let _: String = con.raw(&["ACL", "SETUSER", "app", "+client"]);
    let began = std::time::Instant::now();
    let key = Number { id: new_ids() };
    while hits(&cache) == 0 {
        read(&cache, &key).await;
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", cache.stats().near);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut events = subscriber.lines();
    events.retain(|line| !line.contains(" span "));
    assert_eq!(events.len(), 2, "{events:#?}");
    assert_eq!(events[1], "INFO near copies are on again: the server tracks keys");
}

#[tokio::test]
async fn a_user_who_may_not_read_the_key_loads_as_without_near() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let _: String = con.raw(&["ACL", "SETUSER", "app", "on", ">secret", "~near:beside:*", "&*", "+@all"]);
    let cache = near_cache(&format!("redis://app:secret@127.0.0.1:{}/", server.port()));
    let id = new_ids();
    assert_eq!(copied(&cache, &Beside { id }).await, Some(LOADED));
    put(&mut con, &Number { id }, 7);
    let before = hits(&cache);
    for _ in 0..5 {
        assert_eq!(read(&cache, &Number { id }).await, Some(LOADED));
    }
    assert_eq!(hits(&cache), before);
    assert!(cache.stats().near.is_on && cache.stats().server_errors > 0, "{:?}", cache.stats());
    assert_eq!(copied(&cache, &Beside { id }).await, Some(LOADED));
}

#[tokio::test]
async fn a_connection_of_redis_rs_is_reported_once() {
    observed!(_recorder, subscriber);
    let server = Server::start().expect("a server starts");
    let cache = Cache::new(multiplexed(&server.url()).await);
    for _ in 0..5 {
        assert_eq!(read(&cache, &Number { id: new_ids() }).await, Some(LOADED));
    }
    let mut events = subscriber.lines();
    events.retain(|line| !line.contains(" span "));
    assert_eq!(
        events,
        ["WARN near copies are off: they need a connection of `redis_keys::connect` or `cluster::connect`"]
    );
}

/// The protocol that a program asks for is that of its own connection.
#[tokio::test]
async fn a_connection_with_resp2_has_copies() {
    let server = Server::start().expect("a server starts");
    let cache = near_cache(&format!("{}?protocol=resp2", server.url()));
    assert_eq!(copied(&cache, &Number { id: new_ids() }).await, Some(LOADED));
}
