//! Values that cannot be read or stored, and keys that cannot be sent.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use redis_keys::cache::{LoadError, LoadedValue};
use redis_keys::parameter::bucket::Day;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::Con;

use super::keys::{Document, DocumentOf, Name, Search, Small};
use super::load_source::{Source, load};
use super::{NO_ERROR, bytes, cache, finished, is_leased, until};
use crate::proxy::Proxy;

#[allow(clippy::unused_async, reason = "a loader")]
async fn document() -> Result<Option<Document>, Infallible> {
    Ok(Some(Document { title: "Notes".to_owned(), score: None }))
}

#[tokio::test]
async fn bytes_that_do_not_decode_are_loaded_once_and_replaced() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let key = DocumentOf { id: 1 }.key().expect("the key is valid");
    for content in ["{not json", "\u{7f}"] {
        let _: String = con.raw(&["SET", &key, content, "EX", "60"]);
        let before = cache.stats();
        for _ in 0..3 {
            let found = cache.get_or_load(&DocumentOf { id: 1 }, document).await;
            assert_eq!(found.expect(NO_ERROR), document().await.expect(NO_ERROR));
        }
        let stats = cache.stats();
        assert_eq!((stats.undecodable - before.undecodable, stats.loads - before.loads), (1, 1), "{stats:?}");
        assert_eq!(stats.hits - before.hits, 2, "{stats:?}");
    }
}

/// Its day has ended long ago.
#[derive(RedisKey)]
#[redis_key(
    cached:daily:{day}:string, value = String, ttl = 1d, jitter = 1h, ttl_from_end_of = day,
    cache(null_ttl = 1h),
)]
struct DailyReport {
    day: Day,
}

#[tokio::test]
async fn a_key_that_has_expired_already_is_loaded_and_not_stored() {
    let server = Server::start().expect("a server starts");
    let (cache, source) = (cache(&server.url()).await, Source::open());
    let key = DailyReport { day: Day::new(2020, 1, 1).expect("a day") };
    for loads in 1..=2 {
        let found = cache.get_or_load(&key, || source.load("Ada")).await;
        assert_eq!((found.expect(NO_ERROR).as_deref(), source.loads()), (Some("Ada"), loads));
    }
    assert_eq!(bytes(&mut Con::blocking(&server.url()), &key), None);
    // The server has replied with no error.
    assert_eq!(cache.stats().server_errors, 0);
}

#[tokio::test]
async fn bytes_that_do_not_decode_are_not_replaced_if_they_have_changed() {
    let server = Server::start().expect("a server starts");
    let (release, released) = std::sync::mpsc::channel();
    let released = std::sync::Mutex::new(released);
    let proxy = Proxy::start_with(&server, move |call| {
        if call.name == "claim" {
            released.lock().expect("nothing panics").recv().expect("the test goes on");
        }
        call.forward()
    });
    let (cache, mut con) = (cache(&proxy.url()).await, Con::blocking(&server.url()));
    let key = DocumentOf { id: 1 }.key().expect("the key is valid");
    let _: String = con.raw(&["SET", &key, "{not json", "EX", "60"]);
    let call = tokio::spawn({
        let cache = cache.clone();
        async move { cache.get_or_load(&DocumentOf { id: 1 }, document).await }
    });
    proxy.wait_for("claim", 1).await;
    con.ok(DocumentOf { id: 1 }.set(&Document { title: "written".to_owned(), score: None }));
    release.send(()).expect("the proxy waits");
    let found = finished(call).await.expect("nothing fails").expect("there is a value");
    assert_eq!((&*found.title, cache.stats().loads), ("written", 0));
}

/// The key does not exist when it is read, and holds these bytes when it is claimed.
#[tokio::test]
async fn bytes_that_do_not_decode_are_replaced_if_only_the_claim_finds_them() {
    let server = Server::start().expect("a server starts");
    let (release, released) = std::sync::mpsc::channel::<()>();
    let released = std::sync::Mutex::new(released);
    let proxy = Proxy::start_with(&server, move |call| {
        if call.name == "claim" {
            // Until the test goes on, and from then on not at all.
            _ = released.lock().expect("nothing panics").recv();
        }
        call.forward()
    });
    let (cache, mut con) = (cache(&proxy.url()).await, Con::blocking(&server.url()));
    let call = tokio::spawn({
        let cache = cache.clone();
        async move { cache.get_or_load(&DocumentOf { id: 1 }, document).await }
    });
    proxy.wait_for("claim", 1).await;
    let key = DocumentOf { id: 1 }.key().expect("the key is valid");
    let _: String = con.raw(&["SET", &key, "{not json", "EX", "60"]);
    drop(release);
    assert_eq!(finished(call).await.expect(NO_ERROR), document().await.expect(NO_ERROR));
    assert_eq!(con.ok(DocumentOf { id: 1 }.get()), document().await.expect(NO_ERROR));
    assert_eq!((cache.stats().undecodable, cache.stats().loads, proxy.count("claim")), (1, 1, 2));
}

#[tokio::test]
async fn a_value_that_is_too_large_is_shared_and_not_stored() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let source = Arc::new(Source::closed());
    let large = "a".repeat(11);
    let ask = || {
        let (cache, source, large) = (cache.clone(), Arc::clone(&source), large.clone());
        tokio::spawn(async move { cache.get_or_load(&Small { id: 1 }, || source.load(&large)).await })
    };
    let first = ask();
    source.wait_for_loads(1).await;
    let others: Vec<_> = (0..10).map(|_| ask()).collect();
    for _ in 0..10 {
        assert!(cache.get_or_load(&Name { id: 2 }, || load("")).await.is_ok());
        tokio::task::yield_now().await;
    }
    source.let_all_end();
    for call in others.into_iter().chain([first]) {
        assert_eq!(finished(call).await.expect(NO_ERROR), Some(large.clone()));
    }
    until("the lease is given up", || !is_leased(&mut con, &Small { id: 1 })).await;
    let stats = cache.stats();
    assert_eq!((source.loads(), stats.unstorable, stats.shared), (1, 1, 10), "{stats:?}");

    assert_eq!(
        cache.get_or_load(&Small { id: 1 }, || load("0123456789")).await.expect(NO_ERROR),
        Some("0123456789".to_owned())
    );
    assert_eq!(con.ok(Small { id: 1 }.get()).as_deref(), Some("0123456789"));
}

#[tokio::test]
async fn a_value_without_a_stored_form_is_returned_and_each_call_loads_its_own() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let source = Arc::new(Source::closed());
    let ask = || {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move {
            let load = || async {
                source.begin().await;
                Ok::<_, Infallible>(Some(Document { title: "Notes".to_owned(), score: Some(f64::NAN) }))
            };
            cache.get_or_load(&DocumentOf { id: 1 }, load).await
        })
    };
    let first = ask();
    source.wait_for_loads(1).await;
    let second = ask();
    for _ in 0..10 {
        assert!(cache.get_or_load(&Name { id: 2 }, || load("")).await.is_ok());
        tokio::task::yield_now().await;
    }
    source.let_all_end();
    for call in [first, second] {
        let found = finished(call).await.expect(NO_ERROR).and_then(|document| document.score);
        assert!(found.is_some_and(f64::is_nan), "{found:?}");
    }
    assert_eq!((source.loads(), cache.stats().unstorable), (2, 1));
    until("the lease is given up", || !is_leased(&mut con, &DocumentOf { id: 1 })).await;
}

#[tokio::test]
async fn that_there_is_no_value_is_remembered_for_null_ttl() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    for _ in 0..3 {
        assert_eq!(cache.get_or_load(&Name { id: 1 }, || async { Ok::<_, ()>(None) }).await.expect(NO_ERROR), None);
    }
    let stats = cache.stats();
    assert_eq!((stats.loads, stats.absent_hits), (1, 2), "{stats:?}");
    let left: i64 = con.raw(&["PTTL", &Name { id: 1 }.key().expect("the key is valid")]);
    // 5 minutes, and the jitter in proportion: 25 seconds.
    assert!((290_000..=325_000).contains(&left), "{left}");
}

#[tokio::test]
async fn no_value_lives_longer_than_declared() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let day = Duration::from_secs(86_400);
    for (id, loaded, declared) in [(1, LoadedValue::found("Ada".to_owned()), 65), (2, LoadedValue::absent(), 6)] {
        let load = || async { Ok::<_, ()>(loaded.expire_in(day)) };
        assert!(cache.get_or_load(&Name { id }, load).await.is_ok());
        let left = con.ok(Name { id }.ttl()).left().expect("it exists and expires");
        assert!(left <= Duration::from_secs(declared * 60), "{left:?}");
    }
}

#[tokio::test]
async fn a_key_that_is_refused_is_neither_sent_nor_loaded() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let cache = cache(&proxy.url()).await;
    for term in ["", "a b", "a:b", "{a}", "\r\nFLUSHALL\r\n", &"a".repeat(5000)] {
        let key = || Search { term: term.to_owned() };
        let source = Arc::new(Source::open());
        let loaded = cache.get_or_load(&key(), || source.load("Bob")).await;
        assert!(matches!(loaded, Err(LoadError::Refused(_))), "{term:?}: {loaded:?}");
        let detached = {
            let source = Arc::clone(&source);
            cache.get_or_load_detached(key(), move || async move { source.load("Bob").await }).await
        };
        assert!(matches!(detached, Err(LoadError::Refused(_))), "{term:?}: {detached:?}");
        let keys = [Search { term: "fine".to_owned() }, key()];
        let none = |_: Vec<&Search>| async { Err::<Vec<(Search, String)>, _>("the loader ran") };
        let many = cache.get_or_load_many(&keys, none).await;
        assert!(matches!(many, Err(LoadError::Refused(_))), "{term:?}: {many:?}");
        let warmed = cache.warm(&keys, none, |_| {}).await;
        assert!(matches!(warmed, Err(LoadError::Refused(_))), "{term:?}: {warmed:?}");
        assert!(cache.invalidate(&key()).await.is_err(), "{term:?}");
        assert_eq!(source.loads(), 0, "{term:?}");
    }
    assert_eq!(proxy.take(), [""; 0]);
    assert_eq!(cache.stats().unanswered + cache.stats().server_errors, 0);
}
