//! Loads that a call of the same process joins.

use std::num::ParseIntError;
use std::sync::Arc;

use redis::aio::{ConnectionManager, MultiplexedConnection};
use redis_keys::AsyncConnection;
use redis_keys::cache::{Cache, LoadError, Token};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::Con;
use tokio::task::JoinHandle;

use super::keys::Name;
use super::load_source::Source;
use super::{NO_ERROR, cache, finished, multiplexed, until};
use crate::proxy::{CUT, Proxy};

type Call = JoinHandle<Option<String>>;

/// Starts a call that loads this value.
fn ask<C>(cache: &Cache<C>, source: &Arc<Source>, value: &'static str) -> Call
where
    C: AsyncConnection + Clone + Send + Sync + 'static,
{
    let (cache, source) = (cache.clone(), Arc::clone(source));
    tokio::spawn(async move {
        let found = cache.get_or_load(&Name { id: 1 }, || source.load(value)).await;
        found.expect("the source does not fail")
    })
}

/// A cache, a source whose loads wait, a call that loads `old`, and another connection.
async fn loading(server: &Server) -> (Cache<ConnectionManager>, Arc<Source>, Call, Con) {
    let (cache, source) = (cache(&server.url()).await, Arc::new(Source::closed()));
    let old = ask(&cache, &source, "old");
    source.wait_for_loads(1).await;
    (cache, source, old, Con::blocking(&server.url()))
}

#[tokio::test]
async fn a_load_is_joined_by_who_has_seen_its_token() {
    let server = Server::start().expect("a server starts");
    let (cache, source, old, _) = loading(&server).await;
    let others: Vec<_> = (0..10).map(|_| ask(&cache, &source, "new")).collect();
    // They have joined when their reads, which are sent before this one, are replied to.
    for _ in 0..10 {
        cache.get_or_load(&Name { id: 2 }, || async { Ok::<_, ()>(Some(String::new())) }).await.expect("it loads");
        tokio::task::yield_now().await;
    }
    source.let_all_end();
    assert_eq!(finished(old).await.as_deref(), Some("old"));
    for other in others {
        assert_eq!(finished(other).await.as_deref(), Some("old"));
    }
    assert_eq!((source.loads(), cache.stats().shared), (1, 10));
}

#[tokio::test]
async fn a_load_that_began_before_an_invalidation_is_not_joined() {
    for by_another_program in [true, false] {
        let server = Server::start().expect("a server starts");
        let (cache, source, old, mut other) = loading(&server).await;
        if by_another_program {
            assert!(other.ok(Name { id: 1 }.unlink()));
        } else {
            assert!(cache.invalidate(&Name { id: 1 }).await.expect("the server replies"));
        }
        let new = ask(&cache, &source, "new");
        source.wait_for_loads(2).await;
        source.let_all_end();
        assert_eq!(finished(new).await.as_deref(), Some("new"));
        assert_eq!(finished(old).await.as_deref(), Some("old"));
        assert_eq!(other.ok(Name { id: 1 }.get()).as_deref(), Some("new"));
        assert_eq!(cache.stats().overtaken, 1);
    }
}

#[tokio::test]
async fn a_value_that_another_program_writes_is_not_overwritten_by_a_load() {
    let server = Server::start().expect("a server starts");
    let (cache, source, old, mut other) = loading(&server).await;
    other.ok(Name { id: 1 }.set("written"));
    assert_eq!(finished(ask(&cache, &source, "new")).await.as_deref(), Some("written"));
    source.let_all_end();
    assert_eq!(finished(old).await.as_deref(), Some("old"));
    assert_eq!(other.ok(Name { id: 1 }.get()).as_deref(), Some("written"));
}

#[tokio::test]
async fn a_load_whose_claim_was_not_answered_is_not_joined_by_who_can_read() {
    let server = Server::start().expect("a server starts");
    let cut = std::sync::atomic::AtomicBool::new(true);
    let proxy = Proxy::start_with(&server, move |call| {
        let reply = call.forward();
        let is_cut = call.name == "claim" && cut.swap(false, std::sync::atomic::Ordering::Relaxed);
        if is_cut { CUT } else { reply }
    });
    let (cache, source) = (cache(&proxy.url()).await, Arc::new(Source::closed()));
    let old = ask(&cache, &source, "old");
    source.wait_for_loads(1).await;
    let mut other = Con::blocking(&server.url());
    assert!(other.ok(Name { id: 1 }.unlink()), "the claim was successful");
    let new = ask(&cache, &source, "new");
    source.wait_for_loads(2).await;
    source.let_all_end();
    assert_eq!(finished(new).await.as_deref(), Some("new"));
    assert_eq!(finished(old).await.as_deref(), Some("old"));
    assert_eq!(other.ok(Name { id: 1 }.get()).as_deref(), Some("new"));
}

#[tokio::test]
async fn what_was_loaded_before_its_claim_was_run_is_not_stored() {
    let server = Server::start().expect("a server starts");
    let (release, released) = std::sync::mpsc::channel();
    let released = std::sync::Mutex::new(released);
    let proxy = Proxy::start_with(&server, move |call| {
        if call.name == "claim" {
            released.lock().expect("nothing panics").recv().expect("the test goes on");
        }
        call.forward()
    });
    let con: MultiplexedConnection = multiplexed(&proxy.url()).await;
    let cache = Cache::new(con.clone()).with_time_limit(std::time::Duration::from_millis(200));
    let old = ask(&cache, &Arc::new(Source::open()), "old");
    assert_eq!(finished(old).await.as_deref(), Some("old"));
    // Only now the server gets the claim, and whatever the cache has sent after it.
    release.send(()).expect("the proxy waits");
    redis::cmd("PING").exec_async(&mut con.clone()).await.expect("the server replies");
    let mut other = Con::blocking(&server.url());
    assert_eq!(other.ok(Name { id: 1 }.get()), None);
    until("the lease is given up", || !super::is_leased(&mut other, &Name { id: 1 })).await;
}

#[tokio::test]
async fn who_waits_for_a_claim_that_finds_a_result_reads_it() {
    const CALLS: usize = 10;
    for result in [Some("written"), None] {
        let server = Server::start().expect("a server starts");
        let (release, released) = std::sync::mpsc::channel();
        let released = std::sync::Mutex::new(released);
        let proxy = Proxy::start_with(&server, move |call| {
            if call.name == "claim" {
                released.lock().expect("nothing panics").recv().expect("the test goes on");
            }
            call.forward()
        });
        let (cache, source) = (cache(&proxy.url()).await, Arc::new(Source::open()));
        let calls: Vec<_> = (0..CALLS).map(|_| ask(&cache, &source, "new")).collect();
        proxy.wait_for("claim", 1).await;
        assert_eq!(proxy.count("GET"), CALLS);
        let (mut other, token) = (Con::blocking(&server.url()), Token::random());
        other.ok(Name { id: 1 }.claim(&token));
        assert!(other.ok(Name { id: 1 }.fill(&token, result)));
        release.send(()).expect("the proxy waits");
        for call in calls {
            assert_eq!(finished(call).await.as_deref(), result);
        }
        let stats = cache.stats();
        assert_eq!((stats.hits + stats.absent_hits, stats.shared, stats.loads), (10, 0, 0), "{stats:?}");
        assert_eq!((proxy.count("claim"), proxy.count("GET")), (1, 2 * CALLS - 1));
    }
}

#[tokio::test]
async fn an_error_reaches_all_who_wait() {
    let server = Server::start().expect("a server starts");
    let (cache, source) = (cache(&server.url()).await, Arc::new(Source::closed()));
    let ask = || {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move {
            let load = || async {
                source.begin().await;
                "x".parse::<u8>().map(|_| None)
            };
            cache.get_or_load(&Name { id: 1 }, load).await
        })
    };
    let first = ask();
    source.wait_for_loads(1).await;
    let others: Vec<_> = (0..10).map(|_| ask()).collect();
    // A call with another type of errors has a loader of its own.
    let another = {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move { cache.get_or_load(&Name { id: 1 }, || source.load("Ada")).await })
    };
    for _ in 0..10 {
        cache.get_or_load(&Name { id: 2 }, || async { Ok::<_, ()>(Some(String::new())) }).await.expect("it loads");
        tokio::task::yield_now().await;
    }
    source.let_one_end();
    let Err(LoadError::<ParseIntError>::Loader(error)) = finished(first).await else { panic!("the load fails") };
    for other in others {
        let Err(LoadError::Loader(same)) = finished(other).await else { panic!("the load fails") };
        assert!(Arc::ptr_eq(&error, &same), "another load");
    }
    // The lease was given up, so the next one loads.
    source.wait_for_loads(2).await;
    source.let_all_end();
    assert_eq!(finished(another).await.expect(NO_ERROR), Some("Ada".to_owned()));
    assert_eq!(Con::blocking(&server.url()).ok(Name { id: 1 }.get()).as_deref(), Some("Ada"));
    assert_eq!((source.loads(), cache.stats().failed_loads, cache.stats().shared), (2, 1, 10));
}

#[tokio::test]
async fn a_leader_that_is_dropped_or_panics_lets_others_go_on() {
    for panics in [false, true] {
        let server = Server::start().expect("a server starts");
        let proxy = Proxy::start(&server);
        let (cache, source) = (cache(&proxy.url()).await, Arc::new(Source::closed()));
        let leader = {
            let (cache, source) = (cache.clone(), Arc::clone(&source));
            tokio::spawn(async move {
                let load = || async {
                    source.begin().await;
                    assert!(!panics, "the loader panics, as the test wants");
                    Ok::<_, ()>(None)
                };
                cache.get_or_load(&Name { id: 1 }, load).await
            })
        };
        source.wait_for_loads(1).await;
        let others: Vec<_> = (0..10).map(|_| ask(&cache, &source, "Ada")).collect();
        proxy.wait_for("GET", 11).await;
        if panics {
            source.let_one_end();
        } else {
            leader.abort();
        }
        let error = leader.await.expect_err("the task does not end well");
        assert_eq!(error.is_panic(), panics);
        source.wait_for_loads(2).await;
        source.let_all_end();
        for other in others {
            assert_eq!(finished(other).await.as_deref(), Some("Ada"));
        }
        assert_eq!(source.loads(), 2);
        assert_eq!(Con::blocking(&server.url()).ok(Name { id: 1 }.get()).as_deref(), Some("Ada"));
    }
}

#[tokio::test]
async fn a_claim_that_is_cancelled_before_its_reply_is_given_up() {
    let server = Server::start().expect("a server starts");
    let (release, released) = std::sync::mpsc::channel();
    let released = std::sync::Mutex::new(released);
    let proxy = Proxy::start_with(&server, move |call| {
        let reply = call.forward();
        if call.name == "claim" {
            released.lock().expect("nothing panics").recv().expect("the test goes on");
        }
        reply
    });
    let cache = cache(&proxy.url()).await;
    let call = ask(&cache, &Arc::new(Source::open()), "Ada");
    proxy.wait_for("claim", 1).await;
    let mut other = Con::blocking(&server.url());
    until("the key holds the lease", || super::is_leased(&mut other, &Name { id: 1 })).await;
    call.abort();
    assert!(call.await.is_err_and(|error| error.is_cancelled()));
    release.send(()).expect("the proxy waits");
    until("the lease is given up", || !super::is_leased(&mut other, &Name { id: 1 })).await;
}

#[tokio::test]
async fn the_lease_of_another_program_is_not_given_up() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    let (mut other, token) = (Con::blocking(&server.url()), Token::random());
    other.ok(Name { id: 1 }.claim(&token));
    let call = ask(&cache, &Arc::new(Source::open()), "Bob");
    proxy.wait_for("GET", 3).await;
    call.abort();
    assert!(call.await.is_err_and(|error| error.is_cancelled()));
    assert!(other.ok(Name { id: 1 }.fill(&token, Some("Ada"))));
    assert_eq!(proxy.count("abandon"), 0);
}
