//! Waiting for the load of another program.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use redis::aio::ConnectionManager;
use redis_keys::cache::{Cache, Claim, Token};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::Con;
use tokio::task::JoinHandle;

use super::faults::cutting;
use super::keys::{Hasty, Name};
use super::load_source::{Source, load};
use super::{NO_ERROR, cache, client, finished, is_leased, until};
use crate::proxy::Proxy;

/// The number of polls that are compared.
const POLLS: usize = 8;

#[tokio::test]
async fn polls_are_frequent_again_when_the_lease_changes_hands() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    let (mut other, tokens) = (Con::blocking(&server.url()), [Token::random(), Token::random()]);
    other.ok(Name { id: 1 }.claim(&tokens[0]));
    let call = tokio::spawn({
        let cache = cache.clone();
        async move { cache.get_or_load(&Name { id: 1 }, || load("Bob")).await }
    });
    // So many polls take about a second.
    proxy.wait_for("GET", 24).await;
    let long = time_of_polls(&proxy).await;
    other.ok(Name { id: 1 }.unlink());
    other.ok(Name { id: 1 }.claim(&tokens[1]));
    proxy.take();
    proxy.wait_for("GET", 2).await;
    let short = time_of_polls(&proxy).await;
    assert!(short < long / 2, "{short:?}, and {long:?} before");
    assert!(other.ok(Name { id: 1 }.fill(&tokens[1], Some("Ada"))));
    assert_eq!(finished(call).await.expect(NO_ERROR), Some("Ada".to_owned()));
}

/// Returns the time that the next polls take.
async fn time_of_polls(proxy: &Proxy) -> std::time::Duration {
    let (started, before) = (Instant::now(), proxy.count("GET"));
    proxy.wait_for("GET", before + POLLS).await;
    started.elapsed()
}

#[tokio::test]
async fn one_call_of_a_process_polls() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    let (mut other, token) = (Con::blocking(&server.url()), Token::random());
    other.ok(Name { id: 1 }.claim(&token));
    let calls: Vec<_> = (0..100)
        .map(|_| {
            let cache = cache.clone();
            tokio::spawn(async move { cache.get_or_load(&Name { id: 1 }, || load("Bob")).await })
        })
        .collect();
    // All have read, and one has begun to poll.
    proxy.wait_for("GET", 104).await;
    let (before, claims) = (proxy.count("GET"), proxy.count("claim"));
    proxy.wait_for("GET", before + 4).await;
    assert!(other.ok(Name { id: 1 }.fill(&token, Some("Ada"))));
    for call in calls {
        assert_eq!(finished(call).await.expect(NO_ERROR), Some("Ada".to_owned()));
    }
    let stats = cache.stats();
    assert_eq!((claims, stats.hits, stats.shared, stats.loads), (1, 1, 99, 0), "{stats:?}");
}

/// A cache, and a call that waits for a lease of another program: it would load Bob.
async fn waiting(
    proxy: &Proxy,
    other: &mut Con,
    token: &Token,
) -> (Cache<ConnectionManager>, JoinHandle<Option<String>>) {
    other.ok(Name { id: 1 }.claim(token));
    let cache = cache(&proxy.url()).await;
    let call = tokio::spawn({
        let cache = cache.clone();
        async move { cache.get_or_load(&Name { id: 1 }, || load("Bob")).await.expect(NO_ERROR) }
    });
    proxy.wait_for("GET", 3).await;
    (cache, call)
}

#[tokio::test]
async fn that_there_is_no_value_ends_the_wait() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (mut other, token) = (Con::blocking(&server.url()), Token::random());
    let (cache, call) = waiting(&proxy, &mut other, &token).await;
    assert!(other.ok(Name { id: 1 }.fill(&token, None)));
    assert_eq!(finished(call).await, None);
    assert_eq!((cache.stats().absent_hits, cache.stats().loads), (1, 0));
}

#[tokio::test]
async fn a_lease_that_another_program_gives_up_ends_the_wait() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (mut other, token) = (Con::blocking(&server.url()), Token::random());
    let (_, call) = waiting(&proxy, &mut other, &token).await;
    assert!(other.ok(Name { id: 1 }.abandon(&token)));
    assert_eq!(finished(call).await.as_deref(), Some("Bob"));
    assert_eq!((other.ok(Name { id: 1 }.get()).as_deref(), proxy.count("claim")), (Some("Bob"), 2));
}

#[tokio::test]
async fn bytes_that_do_not_decode_end_the_wait_and_are_replaced() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (mut other, token) = (Con::blocking(&server.url()), Token::random());
    let (_, call) = waiting(&proxy, &mut other, &token).await;
    let mut plain = client(&server.url()).get_connection().expect("the server replies");
    let key = Name { id: 1 }.key().expect("the key is valid");
    redis::cmd("SET").arg(&*key).arg(b"\xC1?").arg("EX").arg(60).exec(&mut plain).expect("the server replies");
    assert_eq!(finished(call).await.as_deref(), Some("Bob"));
    assert_eq!(other.ok(Name { id: 1 }.get()).as_deref(), Some("Bob"));
}

#[tokio::test]
async fn a_poll_without_a_reply_ends_the_wait() {
    let server = Server::start().expect("a server starts");
    let (proxy, cuts) = cutting(&server, "GET");
    cuts.store(false, Relaxed);
    let (mut other, token) = (Con::blocking(&server.url()), Token::random());
    let (cache, call) = waiting(&proxy, &mut other, &token).await;
    cuts.store(true, Relaxed);
    assert_eq!(finished(call).await.as_deref(), Some("Bob"));
    assert_eq!((cache.stats().unanswered, cache.stats().loads), (1, 1));
    assert_eq!((proxy.count("fill"), proxy.count("abandon")), (0, 0));
    assert!(is_leased(&mut other, &Name { id: 1 }));
}

#[tokio::test]
async fn after_two_leases_in_all_a_call_loads_and_stores_nothing() {
    let server = Server::start().expect("a server starts");
    let cache = cache(&server.url()).await;
    let mut other = Con::blocking(&server.url());
    let source = Arc::new(Source::open());
    let call = {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        other.ok(Hasty { id: 1 }.claim(&Token::random()));
        tokio::spawn(async move { cache.get_or_load(&Hasty { id: 1 }, || source.load("Bob")).await })
    };
    until("the call ends though the lease changes hands all the time", || {
        let (_, claim) =
            other.atomic((Hasty { id: 1 }.unlink(), Hasty { id: 1 }.claim(&Token::random()))).expect(NO_ERROR);
        assert_eq!(claim, Claim::Mine);
        call.is_finished()
    })
    .await;
    assert_eq!(finished(call).await.expect(NO_ERROR), Some("Bob".to_owned()));
    assert_eq!((source.loads(), other.ok(Hasty { id: 1 }.get())), (1, None));
}

#[tokio::test]
async fn a_lease_that_is_left_behind_ends() {
    let server = Server::start().expect("a server starts");
    let cache = cache(&server.url()).await;
    let mut other = Con::blocking(&server.url());
    other.ok(Hasty { id: 1 }.claim(&Token::random()));
    let found = cache.get_or_load(&Hasty { id: 1 }, || load("Bob")).await;
    assert_eq!(found.expect(NO_ERROR), Some("Bob".to_owned()));
    assert!(cache.get_or_load(&Hasty { id: 1 }, || load("Eve")).await.is_ok());
}

#[tokio::test]
async fn a_lease_that_never_expires_is_given_an_end() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    for asks_for_many in [false, true] {
        con.ok(Hasty { id: 1 }.unlink());
        con.ok(Hasty { id: 1 }.claim(&Token::random()));
        assert!(con.raw::<bool>(&["PERSIST", &Hasty { id: 1 }.key().expect("the key is valid")]));
        if asks_for_many {
            let rows = |_: Vec<&Hasty>| async { Ok::<_, ()>([(Hasty { id: 1 }, "Bob".to_owned())]) };
            let found = cache.get_or_load_many(&[Hasty { id: 1 }], rows).await;
            assert_eq!(found.expect(NO_ERROR), [Some("Bob".to_owned())]);
        } else {
            let found = cache.get_or_load(&Hasty { id: 1 }, || load("Bob")).await;
            assert_eq!(found.expect(NO_ERROR), Some("Bob".to_owned()));
        }
        assert_eq!(con.ok(Hasty { id: 1 }.get()).as_deref(), Some("Bob"));
        con.assert_all_expire();
    }
}
