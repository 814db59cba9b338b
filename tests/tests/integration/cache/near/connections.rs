//! Connections and servers that fall silent, stop and come back.

use std::time::{Duration, Instant};

use redis_keys::Connection;
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, StoppedServer, until};

use super::keys::Number;
use super::proxy::SilentProxy;
use super::{BOUND_AND_TEST, LOADED, calls, copied, hits, new_ids, put, read};

/// A cache with the time limits that programs have.
fn impatient(url: &str) -> Cache<Connection> {
    Cache::new(redis_keys::connect(url).expect("the address is valid"))
}

/// Reads for some time, and returns how long after the beginning an old number was read, and how often.
async fn old_for(cache: &Cache<Connection>, key: &Number, old: u64, time: Duration) -> (Duration, u64) {
    let (began, mut last, mut times) = (Instant::now(), Duration::ZERO, 0);
    loop {
        let asked = began.elapsed();
        if asked > time {
            return (last, times);
        }
        if read(cache, key).await == Some(old) {
            (last, times) = (asked, times + 1);
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// The connection is open, and nothing arrives on it: neither changes nor answers.
#[tokio::test]
async fn a_connection_that_falls_silent_serves_old_copies_for_two_seconds_at_most() {
    let server = Server::start().expect("a server starts");
    let proxy = SilentProxy::start(&server);
    let (cache, mut con) = (impatient(&proxy.url()), Con::blocking(&server.url()));
    let key = Number { id: new_ids() };
    for round in 0..2 {
        put(&mut con, &key, 2 * round);
        let settled = super::becomes(&cache, &key, Some(2 * round), Duration::from_secs(5)).await;
        assert!(settled.is_some(), "{:?}", cache.stats().near);
        copied(&cache, &key).await;
        // In another phase of the signs of life.
        tokio::time::sleep(Duration::from_millis(400 * round)).await;
        assert_eq!(read(&cache, &key).await, Some(2 * round));
        proxy.be_silent(true);
        put(&mut con, &key, 2 * round + 1);
        let (last, times) = old_for(&cache, &key, 2 * round, Duration::from_millis(2_700)).await;
        println!("a silent connection: the old value was read {times} times, for {last:?}");
        assert!(last < BOUND_AND_TEST, "{last:?}");
        assert!(times > 0, "the copy was served at first");
        assert_eq!(read(&cache, &key).await, Some(2 * round + 1));
        proxy.be_silent(false);
    }
    assert_eq!(copied(&cache, &key).await, Some(3));
    assert!(cache.stats().near.connections_lost > 0, "{:?}", cache.stats().near);
}

/// No copy was used for a while, and callers give up before a step of the cache does.
#[tokio::test]
async fn a_connection_that_is_gone_is_noticed_by_calls_that_do_not_wait() {
    let server = Server::start().expect("a server starts");
    let proxy = SilentProxy::start(&server);
    let (cache, mut con) = (impatient(&proxy.url()), Con::blocking(&server.url()));
    let key = Number { id: new_ids() };
    put(&mut con, &key, 1);
    assert_eq!(copied(&cache, &key).await, Some(1));
    // Until the cache asks for no signs of life any more.
    let (mut asked, mut since) = (0, Instant::now());
    while since.elapsed() < Duration::from_millis(2_500) {
        let now = calls(&mut con, "hello");
        if now != asked {
            (asked, since) = (now, Instant::now());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    proxy.be_silent(true);
    put(&mut con, &key, 2);
    let began = Instant::now();
    let deadline = Duration::from_millis(50);
    while tokio::time::timeout(deadline, read(&cache, &key)).await != Ok(Some(2)) {
        assert!(began.elapsed() < crate::cache::PATIENCE, "{:?}", cache.stats());
    }
    println!("a connection that is gone: noticed after {:?}", began.elapsed());
    assert!(cache.stats().near.connections_lost > 0, "{:?}", cache.stats().near);
}

/// The tracked connection is still open, to a server that has no other connection.
#[tokio::test]
async fn an_address_that_leads_to_another_server_is_followed_by_both_connections() {
    let [before, after] = [(); 2].map(|()| Server::start().expect("a server starts"));
    let proxy = SilentProxy::start(&before);
    let con = super::connect(&proxy.url());
    let cache = Cache::new(con.clone()).with_time_limit(super::TIME_LIMIT);
    let key = Number { id: new_ids() };
    put(&mut Con::blocking(&before.url()), &key, 1);
    assert_eq!(copied(&cache, &key).await, Some(1));
    // The other connection is open too.
    assert!(key.get().run(&con).await.is_ok());
    proxy.lead_to(&after);
    while key.set(&2).run(&con).await.is_err() {}
    assert_eq!(read(&cache, &key).await, Some(2), "the process itself has written it");
    put(&mut Con::blocking(&after.url()), &key, 3);
    let settled = super::becomes(&cache, &key, Some(3), BOUND_AND_TEST).await;
    assert!(settled.is_some(), "{:?}", cache.stats().near);
    assert_eq!(copied(&cache, &key).await, Some(3));
}

#[tokio::test]
async fn the_copies_of_a_server_that_stops_are_served_for_two_seconds_at_most() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (impatient(&server.url()), Con::blocking(&server.url()));
    let key = Number { id: new_ids() };
    put(&mut con, &key, 1);
    assert_eq!(copied(&cache, &key).await, Some(1));
    let stopped = StoppedServer::new(&server);
    let (last, times) = old_for(&cache, &key, 1, Duration::from_millis(2_700)).await;
    println!("a server that stops: the copy was read {times} times, for {last:?}");
    assert!(last < BOUND_AND_TEST && times > 0, "{last:?}");
    assert_eq!(read(&cache, &key).await, Some(LOADED), "as without `near`");
    drop(stopped);
    let before = hits(&cache);
    assert_eq!(copied(&cache, &key).await, Some(1));
    assert!(hits(&cache) > before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_started_again_gets_new_copies() {
    let server = Server::start().expect("a server starts");
    let (cache, port) = (impatient(&server.url()), server.port());
    let key = Number { id: new_ids() };
    put(&mut Con::blocking(&server.url()), &key, 1);
    assert_eq!(copied(&cache, &key).await, Some(1));
    drop(server);
    until("the end of the server is noticed", || !cache.stats().near.is_on).await;
    let server = Server::start_on(port).expect("a server starts");
    put(&mut Con::blocking(&server.url()), &key, 2);
    let (last, times) = old_for(&cache, &key, 1, Duration::from_millis(300)).await;
    assert_eq!((last, times), (Duration::ZERO, 0));
    let settled = super::becomes(&cache, &key, Some(2), crate::cache::PATIENCE).await;
    assert!(settled.is_some(), "{:?}", cache.stats());
    assert_eq!(copied(&cache, &key).await, Some(2));
    let near = cache.stats().near;
    assert!(near.is_on && near.connections_lost > 0, "{near:?}");
}

/// A replica that has lost its primary does not learn what is written there, and so cannot say it.
#[tokio::test]
async fn the_copies_of_a_primary_that_becomes_a_replica_end() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (impatient(&server.url()), Con::blocking(&server.url()));
    let key = Number { id: new_ids() };
    put(&mut con, &key, 1);
    assert_eq!(copied(&cache, &key).await, Some(1));
    let _: String = con.raw(&["REPLICAOF", "127.0.0.1", "1"]);
    let began = Instant::now();
    while cache.stats().near.connections_lost == 0 {
        assert_eq!(read(&cache, &key).await, Some(1));
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", cache.stats().near);
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    println!("a primary that becomes a replica: its copies ended after {:?}", began.elapsed());
    let _: String = con.raw(&["REPLICAOF", "NO", "ONE"]);
}
