//! Refreshing values before they expire. In these tests each hit looks whether the value expires soon.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use redis::aio::ConnectionManager;
use redis_keys::cache::{Cache, LoadedValue};
use redis_keys::command::TimeLeft;
use redis_keys::prelude::*;
use redis_keys::testing::{Server, fix_jitter};
use redis_keys_tests::Con;

use super::faults::cutting;
use super::keys::RefreshedText;
use super::load_source::{PATIENCE, Source, load};
use super::{NO_ERROR, cache, finished, until};

const KEY: RefreshedText = RefreshedText { id: 1 };

/// Less than half of the declared hour.
const TEN_MINUTES: Duration = Duration::from_secs(600);

/// A cache, and a connection that has set a value which expires soon.
async fn aging(server: &Server) -> (Cache<ConnectionManager>, Con) {
    let mut con = Con::blocking(&server.url());
    con.ok(KEY.set("old").expire_in(TEN_MINUTES));
    (cache(&server.url()).await, con)
}

/// A name whose refresh is claimed for a short time.
#[derive(RedisKey)]
#[redis_key(
    cached:retried:{id}:string, value = String, ttl = 1h, jitter = 5m,
    cache(null_ttl = 5m, lease = 100ms, refresh = 50%)
)]
struct RetriedText {
    id: u32,
}

fn left(con: &mut Con) -> Duration {
    let TimeLeft::Left(left) = con.ok(KEY.ttl()) else { panic!("the key expires") };
    left
}

#[tokio::test]
async fn one_caller_loads_and_has_the_new_value_and_the_others_the_old_one() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = aging(&server).await;
    let source = Arc::new(Source::closed());
    let first = {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move { cache.get_or_load(&KEY, || source.load("new")).await })
    };
    source.wait_for_loads(1).await;
    for _ in 0..10 {
        assert_eq!(cache.get_or_load(&KEY, || load("never")).await.expect(NO_ERROR), Some("old".to_owned()));
    }
    assert!(left(&mut con) <= TEN_MINUTES, "{:?}", left(&mut con));
    source.let_all_end();
    assert_eq!(finished(first).await.expect(NO_ERROR), Some("new".to_owned()));
    assert_eq!(cache.get_or_load(&KEY, || load("never")).await.expect(NO_ERROR), Some("new".to_owned()));
    assert!(left(&mut con) > TEN_MINUTES, "{:?}", left(&mut con));
    let stats = cache.stats();
    assert_eq!((stats.refreshes, stats.loads, stats.overtaken), (1, 1, 0), "{stats:?}");
}

#[tokio::test]
async fn a_refresh_that_fails_serves_the_old_value_and_is_not_repeated() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = aging(&server).await;
    for _ in 0..10 {
        let found = cache.get_or_load(&KEY, || async { Err::<Option<String>, _>("no database") }).await;
        assert_eq!(found.expect("the old value is there").as_deref(), Some("old"));
    }
    let stats = cache.stats();
    assert_eq!((stats.refreshes, stats.failed_loads, stats.hits), (1, 1, 10), "{stats:?}");
    assert!(left(&mut con) <= TEN_MINUTES, "{:?}", left(&mut con));
}

#[tokio::test]
async fn a_refresh_that_failed_is_repeated_after_the_lease() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    Con::blocking(&server.url()).ok(RetriedText { id: 1 }.set("old").expire_in(TEN_MINUTES));
    let cache = cache(&server.url()).await;
    let failed = cache.get_or_load(&RetriedText { id: 1 }, || async { Err::<Option<String>, _>("no database") }).await;
    assert_eq!(failed.expect("the old value is there").as_deref(), Some("old"));
    while cache.get_or_load(&RetriedText { id: 1 }, || load("new")).await.expect(NO_ERROR).as_deref() == Some("old") {
        assert!(cache.stats().hits < 10_000, "{:?}", cache.stats());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(cache.stats().refreshes, 2);
}

#[tokio::test]
async fn who_cannot_claim_the_refresh_has_the_old_value() {
    let _each_hit = fix_jitter(0.0);
    for is_full in [false, true] {
        let server = Server::start().expect("a server starts");
        let (proxy, cuts) = cutting(&server, "claim_refresh");
        let (_, mut con) = aging(&server).await;
        if is_full {
            cuts.store(false, Relaxed);
            let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
        }
        let cache = cache(&proxy.url()).await;
        let found = cache.get_or_load(&KEY, || load("never")).await;
        assert_eq!((found.expect(NO_ERROR).as_deref(), proxy.count("claim_refresh")), (Some("old"), 1));
        let stats = cache.stats();
        assert_eq!((stats.loads, stats.unanswered, stats.server_errors), (0, u64::from(!is_full), u64::from(is_full)));
    }
}

#[tokio::test]
async fn a_refresh_can_find_that_there_is_no_value() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let (cache, _) = aging(&server).await;
    for _ in 0..2 {
        assert_eq!(cache.get_or_load(&KEY, || async { Ok::<_, ()>(None) }).await.expect(NO_ERROR), None);
    }
    let stats = cache.stats();
    assert_eq!((stats.refreshes, stats.loads, stats.absent_hits), (1, 1, 1), "{stats:?}");
}

#[tokio::test]
async fn a_refresh_that_is_cancelled_leaves_the_old_value() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let (cache, _) = aging(&server).await;
    let source = Arc::new(Source::closed());
    let call = tokio::spawn({
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        async move { cache.get_or_load(&KEY, || source.load("new")).await }
    });
    source.wait_for_loads(1).await;
    call.abort();
    assert!(call.await.is_err_and(|error| error.is_cancelled()));
    for _ in 0..3 {
        let found = cache.get_or_load(&KEY, || load("never")).await;
        assert_eq!(found.expect(NO_ERROR).as_deref(), Some("old"));
    }
    assert_eq!(cache.stats().refreshes, 1);
}

#[tokio::test]
async fn a_refresh_that_takes_longer_than_its_lease_is_stored_unless_another_one_has_begun() {
    let _each_hit = fix_jitter(0.0);
    for has_another_begun in [false, true] {
        let server = Server::start().expect("a server starts");
        let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
        con.ok(RetriedText { id: 1 }.set("old").expire_in(TEN_MINUTES));
        let source = Arc::new(Source::closed());
        let first = tokio::spawn({
            let (cache, source) = (cache.clone(), Arc::clone(&source));
            async move { cache.get_or_load(&RetriedText { id: 1 }, || source.load("first")).await }
        });
        source.wait_for_loads(1).await;
        tokio::time::sleep(Duration::from_millis(150)).await;
        if has_another_begun {
            let second = cache.get_or_load(&RetriedText { id: 1 }, || load("second")).await;
            assert_eq!(second.expect(NO_ERROR).as_deref(), Some("second"));
        }
        source.let_all_end();
        assert_eq!(finished(first).await.expect(NO_ERROR).as_deref(), Some("first"));
        let stored = if has_another_begun { "second" } else { "first" };
        assert_eq!(con.ok(RetriedText { id: 1 }.get()).as_deref(), Some(stored));
        assert_eq!(cache.stats().overtaken, u64::from(has_another_begun));
    }
}

#[tokio::test]
async fn a_detached_refresh_keeps_nobody_waiting() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = aging(&server).await;
    let source = Arc::new(Source::closed());
    for _ in 0..3 {
        let source = Arc::clone(&source);
        let call = cache.get_or_load_detached(KEY, move || async move { source.load("new").await });
        let found = tokio::time::timeout(PATIENCE, call).await.expect("it does not wait for the load");
        assert_eq!(found.expect(NO_ERROR), Some("old".to_owned()));
    }
    source.wait_for_loads(1).await;
    source.let_all_end();
    until("the new value is there", || con.ok(KEY.get()).as_deref() == Some("new")).await;
    assert_eq!(cache.stats().refreshes, 1);
}

#[tokio::test]
async fn that_there_is_no_value_is_refreshed() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let cache = cache(&server.url()).await;
    let absent = |time: u64| async move { Ok::<_, ()>(LoadedValue::absent().expire_in(Duration::from_secs(time))) };
    // Of the 10 minutes that are declared 9 are left.
    assert_eq!(cache.get_or_load(&KEY, || absent(540)).await.expect(NO_ERROR), None);
    assert_eq!(cache.get_or_load(&KEY, || absent(540)).await.expect(NO_ERROR), None);
    assert_eq!((cache.stats().refreshes, cache.stats().absent_hits), (0, 1));

    let key = KEY.key().expect("the key is valid");
    let _: u8 = Con::blocking(&server.url()).raw(&["EXPIRE", &key, "120"]);
    assert_eq!(cache.get_or_load(&KEY, || load("new")).await.expect(NO_ERROR), Some("new".to_owned()));
    assert_eq!((cache.stats().refreshes, cache.stats().absent_hits), (1, 2));
}

#[tokio::test]
async fn a_shorter_time_is_not_refreshed_all_the_time() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let cache = cache(&server.url()).await;
    let brief = || async { Ok::<_, ()>(LoadedValue::found("Ada".to_owned()).expire_in(TEN_MINUTES)) };
    for _ in 0..10 {
        assert_eq!(cache.get_or_load(&KEY, brief).await.expect(NO_ERROR), Some("Ada".to_owned()));
    }
    let stats = cache.stats();
    assert_eq!((stats.loads, stats.refreshes, stats.hits), (1, 0, 9), "{stats:?}");
    let left = left(&mut Con::blocking(&server.url()));
    assert!(left <= TEN_MINUTES && left > TEN_MINUTES / 2, "{left:?}");
}

#[tokio::test]
async fn after_its_time_no_call_gets_a_value_that_is_still_refreshed() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = aging(&server).await;
    let source = Arc::new(Source::closed());
    let refresh = {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move { cache.get_or_load(&KEY, || source.load("refreshed")).await })
    };
    source.wait_for_loads(1).await;
    let _: u8 = con.raw(&["PEXPIRE", &KEY.key().expect("the key is valid"), "1"]);
    until("the value has expired", || con.ok(KEY.ttl()) == TimeLeft::Missing).await;
    for _ in 0..2 {
        assert_eq!(cache.get_or_load(&KEY, || load("loaded")).await.expect(NO_ERROR).as_deref(), Some("loaded"));
    }
    source.let_all_end();
    assert_eq!(finished(refresh).await.expect(NO_ERROR).as_deref(), Some("refreshed"));
    assert_eq!((con.ok(KEY.get()).as_deref(), cache.stats().overtaken), (Some("loaded"), 1));
}

#[tokio::test]
async fn a_refresh_does_not_overwrite_what_was_written_meanwhile() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = aging(&server).await;
    let load = || {
        assert!(con.ok(KEY.unlink()));
        async { Ok::<_, ()>(Some("new".to_owned())) }
    };
    assert_eq!(cache.get_or_load(&KEY, load).await.expect(NO_ERROR), Some("new".to_owned()));
    assert_eq!((con.ok(KEY.get()), cache.stats().overtaken), (None, 1));
}
