//! Servers that fail. The loader's value is returned all the same.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use redis::aio::ConnectionManager;
use redis_keys::cache::{Cache, Stats};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{AsyncConnection, ErrorKind};
use redis_keys_tests::{Con, StoppedServer, wait_until};

use super::keys::{Hasty, Name};
use super::load_source::{Source, load};
use super::{NO_ERROR, PATIENCE, cache, client, finished, manager, multiplexed, until};
use crate::proxy::{CUT, Proxy};

/// A cache with the time limit that it has by itself, and a connection manager with the options that it has by itself.
async fn impatient(url: &str) -> Cache<ConnectionManager> {
    Cache::new(client(url).get_connection_manager().await.expect("the server replies"))
}

/// Asks for a value that is not cached, and asserts that it is loaded.
async fn assert_loads<C>(cache: &Cache<C>, id: u32)
where
    C: AsyncConnection + Clone + Send + Sync + 'static,
{
    let (source, key) = (Source::open(), Name { id });
    let found = tokio::time::timeout(PATIENCE, cache.get_or_load(&key, || source.load("Ada"))).await;
    assert_eq!(found.expect("the call ends").expect(NO_ERROR).as_deref(), Some("Ada"));
    assert_eq!(source.loads(), 1);
}

/// Asks until a value is found in the server.
async fn assert_recovers<C>(cache: &Cache<C>)
where
    C: AsyncConnection + Clone + Send + Sync + 'static,
{
    let (started, hits) = (Instant::now(), cache.stats().hits);
    while cache.stats().hits == hits {
        let found = cache.get_or_load(&Name { id: 99 }, || load("Ada")).await;
        assert_eq!(found.expect(NO_ERROR).as_deref(), Some("Ada"));
        assert!(started.elapsed() < PATIENCE, "{:?}", cache.stats());
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert!(!cache.stats().breaker_is_open);
}

#[tokio::test]
async fn a_server_that_stops_costs_a_call_one_time_limit_and_after_five_nothing() {
    let server = Server::start().expect("a server starts");
    // Without a time limit of the connection, so that it is that of the cache which counts.
    let (cache, other) = (Cache::new(manager(&server.url()).await), impatient(&server.url()).await);
    assert_loads(&cache, 99).await;
    let stopped = StoppedServer::new(&server);
    for call in 1..=5 {
        assert_loads(&cache, call).await;
        assert_eq!(cache.stats().unanswered, u64::from(call));
    }
    assert!(cache.stats().breaker_is_open);
    let started = Instant::now();
    for id in 6..100 {
        assert_loads(&cache, id).await;
    }
    // Other than those that look whether the server is back.
    let probes = cache.stats().unanswered - 5;
    assert!(probes <= started.elapsed().as_secs() + 1, "{probes}");
    let error = other.invalidate(&Name { id: 99 }).await.expect_err("the server does not answer");
    assert_eq!(error.kind(), ErrorKind::Connection);
    drop(stopped);
    assert_recovers(&cache).await;
}

/// A reply that comes late because this thread is blocked is no fault of the server.
#[tokio::test]
async fn a_thread_that_is_blocked_is_no_fault() {
    let server = Server::start().expect("a server starts");
    // Far more than a reply takes, also on a machine that is slow for a moment.
    let limit = Duration::from_millis(400);
    let cache = Cache::new(multiplexed(&server.url()).await).with_time_limit(limit);
    let key = Name { id: 1 };
    assert_loads(&cache, 1).await;
    for _ in 0..3 {
        let blocked = async { std::thread::sleep(3 * limit) };
        let (found, ()) = tokio::join!(cache.get_or_load(&key, || load("another one")), blocked);
        assert_eq!(found.expect(NO_ERROR).as_deref(), Some("Ada"));
    }
    let stats = cache.stats();
    assert_eq!((stats.hits, stats.unanswered), (3, 0));
}

#[tokio::test]
async fn a_server_that_is_killed_and_started_again_is_used_again() {
    let server = Server::start().expect("a server starts");
    let port = server.port();
    let cache = impatient(&server.url()).await;
    assert_loads(&cache, 1).await;
    drop(server);
    for id in 1..10 {
        assert_loads(&cache, id).await;
    }
    let stats = cache.stats();
    assert!(stats.breaker_is_open && stats.unanswered <= 9, "{stats:?}");
    let _server = Server::start_on(port).expect("a server starts");
    assert_recovers(&cache).await;
}

#[tokio::test]
async fn while_a_server_is_away_those_whose_leader_has_gone_share_one_load() {
    let server = Server::start().expect("a server starts");
    let (cache, source) = (impatient(&server.url()).await, Arc::new(Source::closed()));
    drop(server);
    for id in 10..15 {
        assert_loads(&cache, id).await;
    }
    assert!(cache.stats().breaker_is_open);
    let ask = || {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move { cache.get_or_load(&Name { id: 1 }, || source.load("Ada")).await })
    };
    let leader = ask();
    source.wait_for_loads(1).await;
    let others: Vec<_> = (0..50).map(|_| ask()).collect();
    // They join before this task goes on.
    tokio::task::yield_now().await;
    leader.abort();
    source.wait_for_loads(2).await;
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    source.let_all_end();
    for other in others {
        assert_eq!(finished(other).await.expect(NO_ERROR).as_deref(), Some("Ada"));
    }
    assert_eq!(source.loads(), 2);
}

#[tokio::test]
async fn those_who_wait_longer_than_a_lease_have_the_value_of_the_load_that_ends_first() {
    const CALLS: usize = 50;
    for is_away in [false, true] {
        let server = Server::start().expect("a server starts");
        let (cache, source) = (impatient(&server.url()).await, Arc::new(Source::closed()));
        let _server = (!is_away).then_some(server);
        for id in 10..15 {
            assert_loads(&cache, id).await;
        }
        assert_eq!(cache.stats().breaker_is_open, is_away);
        let calls: Vec<_> = (0..CALLS)
            .map(|_| {
                let (cache, source) = (cache.clone(), Arc::clone(&source));
                tokio::spawn(async move { cache.get_or_load(&Hasty { id: 1 }, || source.load("Ada")).await })
            })
            .collect();
        // One more with each lease.
        source.wait_for_loads(3).await;
        source.let_one_end();
        until("all calls but those that load have ended", || {
            let ended = calls.iter().filter(|call| call.is_finished()).count();
            ended + source.loads() > CALLS
        })
        .await;
        assert!(source.loads() < CALLS / 2, "{} loads", source.loads());
        source.let_all_end();
        for call in calls {
            assert_eq!(finished(call).await.expect(NO_ERROR).as_deref(), Some("Ada"));
        }
    }
}

#[tokio::test]
async fn while_a_server_is_away_an_invalidation_fails() {
    let server = Server::start().expect("a server starts");
    let port = server.port();
    let cache = cache(&server.url()).await;
    assert_loads(&cache, 1).await;
    drop(server);
    assert!(cache.invalidate(&Name { id: 1 }).await.is_err());
    let _server = Server::start_on(port).expect("a server starts");
    assert_recovers(&cache).await;
}

#[tokio::test]
async fn a_full_server_is_read_and_loads_are_shared() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    con.ok(Name { id: 2 }.set("Bob"));
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
    assert_refuses_writes(&cache).await;
    assert!(cache.invalidate(&Name { id: 2 }).await.expect("a full server removes keys"));
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
    assert_recovers(&cache).await;
}

#[tokio::test]
async fn a_loader_that_fails_without_a_lease_is_the_error_of_the_call() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
    let failed = cache.get_or_load(&Name { id: 1 }, || async { Err::<Option<String>, _>("no database") }).await;
    assert_eq!(failed.expect_err("the load fails").loader(), Some(&"no database"));
    let Stats { failed_loads, server_errors, .. } = cache.stats();
    assert_eq!((failed_loads, server_errors, super::bytes(&mut con, &Name { id: 1 })), (1, 1, None));
}

#[tokio::test]
async fn a_lease_is_given_up_when_the_server_is_full_at_the_end_of_the_load() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let fill_up = || {
        let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        load("Ada")
    };
    assert_eq!(cache.get_or_load(&Name { id: 1 }, fill_up).await.expect(NO_ERROR).as_deref(), Some("Ada"));
    let Stats { server_errors, overtaken, .. } = cache.stats();
    assert_eq!((server_errors, overtaken), (1, 0));
    until("the lease is given up", || !super::is_leased(&mut con, &Name { id: 1 })).await;
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
    assert_recovers(&cache).await;
}

#[tokio::test]
async fn a_load_without_a_lease_is_not_joined_after_an_invalidation() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
    let source = Arc::new(Source::closed());
    let ask = |value: &'static str| {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move { cache.get_or_load(&Name { id: 1 }, || source.load(value)).await })
    };
    let old = ask("old");
    source.wait_for_loads(1).await;
    assert!(!cache.invalidate(&Name { id: 1 }).await.expect("the server replies"));
    let new = ask("new");
    source.wait_for_loads(2).await;
    source.let_all_end();
    assert_eq!(finished(old).await.expect(NO_ERROR).as_deref(), Some("old"));
    assert_eq!(finished(new).await.expect(NO_ERROR).as_deref(), Some("new"));
}

/// The load began while the server was full, and an invalidation by another process has ended since then.
#[tokio::test]
async fn a_load_without_a_lease_is_not_joined_once_the_server_has_room() {
    let server = Server::start().expect("a server starts");
    let (cache, other) = (cache(&server.url()).await, cache(&server.url()).await);
    let mut con = Con::blocking(&server.url());
    let source = Arc::new(Source::closed());
    let ask = |value: &'static str| {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move { cache.get_or_load(&Name { id: 1 }, || source.load(value)).await })
    };
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
    let old = ask("old");
    source.wait_for_loads(1).await;
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "0"]);
    assert!(!other.invalidate(&Name { id: 1 }).await.expect("the server replies"));
    let new: Vec<_> = (0..10).map(|_| ask("new")).collect();
    source.wait_for_loads(2).await;
    source.let_all_end();
    assert_eq!(finished(old).await.expect(NO_ERROR).as_deref(), Some("old"));
    for new in new {
        assert_eq!(finished(new).await.expect(NO_ERROR).as_deref(), Some("new"));
    }
    assert_eq!((source.loads(), con.ok(Name { id: 1 }.get()).as_deref()), (2, Some("new")));
}

#[tokio::test]
async fn a_replica_is_read_until_it_is_a_primary() {
    let [primary, replica] = [(), ()].map(|()| Server::start().expect("a server starts"));
    Con::blocking(&primary.url()).ok(Name { id: 2 }.set("Bob"));
    let mut con = Con::blocking(&replica.url());
    let _: String = con.raw(&["REPLICAOF", "127.0.0.1", &primary.port().to_string()]);
    wait_until("the replica has the key", || con.ok(Name { id: 2 }.get()).is_some());
    let cache = cache(&replica.url()).await;
    assert_refuses_writes(&cache).await;
    assert!(cache.invalidate(&Name { id: 2 }).await.is_err());
    let _: String = con.raw(&["REPLICAOF", "NO", "ONE"]);
    assert_recovers(&cache).await;
}

/// The server has Bob as 2, and refuses writes.
async fn assert_refuses_writes<C>(cache: &Cache<C>)
where
    C: AsyncConnection + Clone + Send + Sync + 'static,
{
    for _ in 0..10 {
        assert_loads(cache, 1).await;
        assert_eq!(cache.get_or_load(&Name { id: 2 }, || load("Eve")).await.expect(NO_ERROR).as_deref(), Some("Bob"));
    }
    let Stats { server_errors, unanswered, breaker_is_open, hits, .. } = cache.stats();
    assert_eq!((server_errors, unanswered, breaker_is_open, hits), (10, 0, false, 10));
    assert_shares(cache).await;
}

/// Many calls without a lease are one load.
async fn assert_shares<C>(cache: &Cache<C>)
where
    C: AsyncConnection + Clone + Send + Sync + 'static,
{
    let (source, shared) = (Arc::new(Source::closed()), cache.stats().shared);
    let ask = || {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move { cache.get_or_load(&Name { id: 3 }, || source.load("Ada")).await })
    };
    let first = ask();
    source.wait_for_loads(1).await;
    let others: Vec<_> = (0..10).map(|_| ask()).collect();
    for id in 4..14 {
        assert!(cache.get_or_load(&Name { id }, || load("")).await.is_ok());
        tokio::task::yield_now().await;
    }
    source.let_all_end();
    for call in others.into_iter().chain([first]) {
        assert_eq!(finished(call).await.expect(NO_ERROR).as_deref(), Some("Ada"));
    }
    assert_eq!((source.loads(), cache.stats().shared - shared), (1, 10));
}

#[tokio::test]
async fn a_key_of_another_type_is_left_alone() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let key = Name { id: 1 }.key().expect("the key is valid");
    let _: u8 = con.raw(&["RPUSH", &key, "a"]);
    for _ in 0..3 {
        assert_loads(&cache, 1).await;
    }
    assert_eq!(con.raw::<Vec<String>>(&["LRANGE", &key, "0", "-1"]), ["a"]);
    let stats = cache.stats();
    assert_eq!((stats.server_errors, stats.breaker_is_open), (3, false), "{stats:?}");
    assert!(cache.invalidate(&Name { id: 1 }).await.expect("the server replies"));
    assert_recovers(&cache).await;
}

/// A proxy that runs a command and closes the connection instead of replying, as long as the flag is set.
pub(super) fn cutting(server: &Server, name: &'static str) -> (Proxy, Arc<AtomicBool>) {
    let cuts = Arc::new(AtomicBool::new(true));
    let flag = Arc::clone(&cuts);
    let proxy = Proxy::start_with(server, move |call| {
        let reply = call.forward();
        if call.name == name && flag.load(Relaxed) { CUT } else { reply }
    });
    (proxy, cuts)
}

#[tokio::test]
async fn a_claim_whose_reply_is_lost_is_given_up() {
    let server = Server::start().expect("a server starts");
    let (proxy, cuts) = cutting(&server, "claim");
    let (cache, mut con) = (cache(&proxy.url()).await, Con::blocking(&server.url()));
    assert_loads(&cache, 1).await;
    until("the lease is given up", || !super::is_leased(&mut con, &Name { id: 1 })).await;
    assert_eq!((cache.stats().unanswered, proxy.count("fill")), (1, 0));
    cuts.store(false, Relaxed);
    assert_recovers(&cache).await;
}

#[tokio::test]
async fn a_fill_whose_reply_is_lost_is_not_undone() {
    let server = Server::start().expect("a server starts");
    let (proxy, cuts) = cutting(&server, "fill");
    let cache = cache(&proxy.url()).await;
    assert_loads(&cache, 1).await;
    assert_eq!(cache.stats().unanswered, 1);
    proxy.wait_for("abandon", 1).await;
    cuts.store(false, Relaxed);
    let found = cache.get_or_load(&Name { id: 1 }, || load("Eve")).await;
    assert_eq!((found.expect(NO_ERROR).as_deref(), cache.stats().hits), (Some("Ada"), 1));
}

#[tokio::test]
async fn with_an_open_breaker_one_call_a_second_is_sent() {
    let server = Server::start().expect("a server starts");
    let (proxy, cuts) = cutting(&server, "GET");
    let cache = Cache::new(manager(&proxy.url()).await).with_time_limit(PATIENCE);
    // Not after it was opened: a call is sent one second after that.
    let mut opened = Instant::now();
    for id in 0..5 {
        assert!(!cache.stats().breaker_is_open);
        opened = Instant::now();
        assert_loads(&cache, id).await;
    }
    assert_eq!((cache.stats().unanswered, proxy.count("GET")), (5, 5));
    assert!(cache.stats().breaker_is_open);
    assert_shares(&cache).await;
    while proxy.count("GET") < 7 {
        assert_loads(&cache, 1).await;
        assert!(opened.elapsed() < PATIENCE, "the server is not tried again");
        assert!(proxy.count("GET") as u64 <= 5 + opened.elapsed().as_secs(), "{:?}", proxy.commands());
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    // An invalidation is sent all the same.
    Con::blocking(&server.url()).ok(Name { id: 1 }.set("Bob"));
    assert!(cache.stats().breaker_is_open);
    assert!(cache.invalidate(&Name { id: 1 }).await.expect("the server replies"));
    cuts.store(false, Relaxed);
    assert_recovers(&cache).await;
}

#[tokio::test]
async fn a_batch_that_is_lost_is_one_fault() {
    let server = Server::start().expect("a server starts");
    let (proxy, cuts) = cutting(&server, "claim");
    let (cache, mut con) = (cache(&proxy.url()).await, Con::blocking(&server.url()));
    let keys: Vec<_> = (0..20).map(|id| Name { id }).collect();
    let all = |missing: Vec<&Name>| {
        let found: Vec<_> = missing.iter().map(|key| (Name { id: key.id }, key.id.to_string())).collect();
        async { Ok::<_, ()>(found) }
    };
    let found = cache.get_or_load_many(&keys, all).await.expect(NO_ERROR);
    assert_eq!(found, (0..20).map(|id| Some(id.to_string())).collect::<Vec<_>>());
    assert_eq!((cache.stats().unanswered, cache.stats().breaker_is_open), (1, false));
    cuts.store(false, Relaxed);
    for id in 0..20 {
        until("the lease is given up", || !super::is_leased(&mut con, &Name { id })).await;
    }
}

#[tokio::test]
async fn a_connection_that_is_lost_is_one_fault_of_all_calls() {
    let server = Server::start().expect("a server starts");
    let (proxy, cuts) = cutting(&server, "GET");
    let cache = Cache::new(manager(&proxy.url()).await).with_time_limit(PATIENCE);
    let lost: Vec<_> = (0..20).map(|id| (Name { id }, cache.clone())).collect();
    let calls = lost.iter().map(|(key, cache)| async {
        let loads = || async {
            // Another command would be cut too.
            cuts.store(false, Relaxed);
            load("Ada").await
        };
        cache.get_or_load(key, loads).await
    });
    for found in futures_util::future::join_all(calls).await {
        assert_eq!(found.expect(NO_ERROR).as_deref(), Some("Ada"));
    }
    let stats = cache.stats();
    assert!(stats.unanswered > 5 && !stats.breaker_is_open, "{stats:?}");
}

#[tokio::test]
async fn warming_closes_the_breaker() {
    let server = Server::start().expect("a server starts");
    let (proxy, cuts) = cutting(&server, "GET");
    let cache = Cache::new(manager(&proxy.url()).await).with_time_limit(PATIENCE);
    for id in 0..5 {
        assert_loads(&cache, id).await;
    }
    assert!(cache.stats().breaker_is_open);
    cuts.store(false, Relaxed);
    let one = |_: Vec<&Name>| async { Ok::<_, ()>([(Name { id: 1 }, "Ada".to_owned())]) };
    let warmed = cache.warm(&[Name { id: 1 }], one, |_| {}).await.expect(NO_ERROR);
    assert_eq!((warmed.loaded, warmed.stored), (1, 1));
    assert!(!cache.stats().breaker_is_open);
}
