//! Expired values that stand in for loads which fail.

use std::sync::Arc;
use std::time::{Duration, Instant};

use redis::aio::ConnectionManager;
use redis_keys::cache::{Cache, LoadError, Token};
use redis_keys::prelude::*;
use redis_keys::testing::{Server, fix_jitter};
use redis_keys_tests::Con;

use super::load_source::{Source, load};
use super::{NO_ERROR, bytes, cache, finished, until};
use crate::proxy::{CUT, Proxy};

/// A name that is kept for an hour. Its lease is longer than any test.
#[derive(Debug, PartialEq, Eq, Hash, RedisKey)]
#[redis_key(kept:name:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 5m, stale = 1h))]
struct Kept {
    id: u32,
}

/// A name that is kept, with a short lease.
#[derive(RedisKey)]
#[redis_key(kept:hasty:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 300ms, stale = 1h))]
struct Hasty {
    id: u32,
}

/// A name that is kept, whose load is tried again in a test.
#[derive(RedisKey)]
#[redis_key(kept:retried:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 3s, stale = 1h))]
struct Retried {
    id: u32,
}

/// A name all of whose times pass in a test.
#[derive(RedisKey)]
#[redis_key(kept:brief:{id}:string, value = String, ttl = 400ms, cache(null_ttl = 100ms, lease = 100ms, stale = 800ms))]
struct Brief {
    id: u32,
}

/// A name that is refreshed, and kept.
#[derive(RedisKey)]
#[redis_key(
    kept:refreshed:{id}:string, value = String, ttl = 1h, jitter = 5m,
    cache(null_ttl = 5m, lease = 5m, refresh = 50%, stale = 1h)
)]
struct Refreshed {
    id: u32,
}

/// A name that is kept, also in the process.
#[derive(RedisKey)]
#[redis_key(kept:near:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 1m, stale = 1h))]
struct Near {
    id: u32,
}

const KEY: Kept = Kept { id: 1 };

const FIFTY_MINUTES: i64 = 50 * 60_000;

/// Stores an old value, which has expired.
fn expire<K: CachedKey<Value = String>>(con: &mut Con, key: &K) {
    con.ok(key.set("old"));
    set_left(con, key, FIFTY_MINUTES);
}

fn set_left(con: &mut Con, key: &impl RedisKey, ms: i64) {
    let _: bool = con.raw(&["PEXPIRE", &key.key().expect("the key is valid"), &ms.to_string()]);
}

async fn start() -> (Server, Cache<ConnectionManager>, Con) {
    let server = Server::start().expect("a server starts");
    let (cache, con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    (server, cache, con)
}

async fn fail() -> Result<Option<String>, &'static str> {
    Err("the database is away")
}

async fn fail_later(source: &Source) -> Result<Option<String>, &'static str> {
    source.begin().await;
    fail().await
}

async fn failing<K: CachedKey<Value = String>>(cache: &Cache<ConnectionManager>, key: &K) -> Option<String> {
    cache.get_or_load(key, fail).await.ok().flatten()
}

#[tokio::test]
async fn an_expired_value_is_returned_only_if_the_load_fails() {
    let (_server, cache, mut con) = start().await;
    expire(&mut con, &KEY);
    assert_eq!(cache.get_or_load(&KEY, || load("new")).await.expect(NO_ERROR).as_deref(), Some("new"));
    expire(&mut con, &KEY);
    assert_eq!(failing(&cache, &KEY).await.as_deref(), Some("old"));
    let stats = cache.stats();
    assert_eq!((stats.stale_hits, stats.loads, stats.failed_loads, stats.hits), (1, 2, 1, 0), "{stats:?}");
}

#[tokio::test]
async fn without_an_expired_value_the_error_is_returned() {
    let (_server, cache, mut con) = start().await;
    let error = cache.get_or_load(&KEY, fail).await.expect_err("there is no value");
    assert!(matches!(error, LoadError::Loader(_)), "{error:?}");
    // It is not remembered, as without `stale`.
    assert_eq!(cache.get_or_load(&KEY, || load("new")).await.expect(NO_ERROR).as_deref(), Some("new"));
    // An absence is no value.
    con.ok(KEY.unlink());
    let token = Token::random();
    con.ok(KEY.claim(&token));
    con.ok(KEY.fill(&token, None));
    set_left(&mut con, &KEY, 1);
    until("the absence has expired", || bytes(&mut con, &KEY).is_none()).await;
    assert!(cache.get_or_load(&KEY, fail).await.is_err());
    assert_eq!(cache.stats().stale_hits, 0);
}

#[tokio::test]
async fn while_a_load_may_succeed_others_wait_for_it() {
    let (_server, cache, mut con) = start().await;
    expire(&mut con, &KEY);
    let source = Arc::new(Source::closed());
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let (cache, source) = (cache.clone(), Arc::clone(&source));
            tokio::spawn(async move { cache.get_or_load(&KEY, || source.load("new")).await })
        })
        .collect();
    source.wait_for_loads(1).await;
    source.let_all_end();
    for call in calls {
        assert_eq!(finished(call).await.expect(NO_ERROR).as_deref(), Some("new"));
    }
    assert_eq!((source.loads(), cache.stats().stale_hits), (1, 0));
}

#[tokio::test]
async fn those_who_wait_for_a_load_that_fails_get_the_expired_value() {
    let (server, cache, mut con) = start().await;
    let other_process = super::cache(&server.url()).await;
    expire(&mut con, &KEY);
    let source = Arc::new(Source::closed());
    let calls: Vec<_> = (0..40)
        .map(|number| {
            let cache = if number % 2 == 0 { cache.clone() } else { other_process.clone() };
            let source = Arc::clone(&source);
            tokio::spawn(async move { cache.get_or_load(&KEY, || fail_later(&source)).await })
        })
        .collect();
    source.wait_for_loads(1).await;
    source.let_all_end();
    for call in calls {
        assert_eq!(finished(call).await.expect(NO_ERROR).as_deref(), Some("old"));
    }
    assert_eq!(source.loads(), 1, "one call loads, and one call fails");
    // Later calls get it in one round trip, and do not load.
    let hits = cache.stats().stale_hits;
    for _ in 0..20 {
        assert_eq!(failing(&cache, &KEY).await.as_deref(), Some("old"));
    }
    assert_eq!((cache.stats().stale_hits, source.loads()), (hits + 20, 1));
}

#[tokio::test]
async fn one_call_in_the_time_of_the_lease_tries_again_and_the_others_do_not_wait() {
    let (server, cache, mut con) = start().await;
    let other_process = super::cache(&server.url()).await;
    let key = Retried { id: 1 };
    expire(&mut con, &key);
    assert_eq!(failing(&cache, &key).await.as_deref(), Some("old"));
    let failed = Instant::now();
    for cache in [&cache, &other_process] {
        for _ in 0..10 {
            assert_eq!(failing(cache, &key).await.as_deref(), Some("old"));
        }
    }
    assert_eq!(cache.stats().loads + other_process.stats().loads, 1);
    let source = Arc::new(Source::closed());
    let tries = {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move {
            while source.loads() == 0 {
                let found = cache.get_or_load(&key, || source.load("new")).await.expect(NO_ERROR);
                assert_eq!(found.as_deref(), Some(if source.loads() == 0 { "old" } else { "new" }));
            }
        })
    };
    source.wait_for_loads(1).await;
    assert!(failed.elapsed() > Duration::from_millis(2_900), "{:?}", failed.elapsed());
    for cache in [&cache, &other_process] {
        for _ in 0..10 {
            assert_eq!(failing(cache, &Retried { id: 1 }).await.as_deref(), Some("old"));
        }
    }
    assert_eq!(other_process.stats().loads, 0);
    source.let_all_end();
    finished(tries).await;
    assert_eq!(failing(&other_process, &Retried { id: 1 }).await.as_deref(), Some("new"));
}

#[tokio::test]
async fn an_invalidation_ends_it_at_once() {
    let (server, cache, mut con) = start().await;
    let other_process = super::cache(&server.url()).await;
    expire(&mut con, &KEY);
    assert_eq!(failing(&cache, &KEY).await.as_deref(), Some("old"));
    assert!(other_process.invalidate(&KEY).await.expect("the server replies"));
    for cache in [&cache, &other_process] {
        assert_eq!(failing(cache, &KEY).await, None);
    }
    // Also for a load that began before, and for those who wait for it.
    expire(&mut con, &KEY);
    let source = Arc::new(Source::closed());
    let calls: Vec<_> = [&cache, &cache, &other_process]
        .map(|cache| {
            let (cache, source) = (cache.clone(), Arc::clone(&source));
            tokio::spawn(async move { cache.get_or_load(&KEY, || fail_later(&source)).await.ok().flatten() })
        })
        .into();
    source.wait_for_loads(1).await;
    cache.invalidate(&KEY).await.expect("the server replies");
    source.let_all_end();
    for call in calls {
        assert_eq!(finished(call).await, None);
    }
}

/// All by the clock of the server: what is returned, and when.
#[tokio::test]
async fn a_value_is_returned_until_stale_has_passed_and_never_later() {
    let _exact = fix_jitter(0.0);
    let (server, cache, mut con) = start().await;
    let mut clock = Con::blocking(&server.url());
    let mut now = || {
        let (seconds, micros): (u64, u64) = clock.raw(&["TIME"]);
        seconds * 1_000 + micros / 1_000
    };
    let key = Brief { id: 1 };
    let first = now();
    con.ok(key.set("old"));
    let last = now();
    let (mut fresh, mut expired) = (0, 0);
    loop {
        let (began, hits) = (now(), cache.stats().hits);
        let found = failing(&cache, &key).await;
        let ended = now();
        match found {
            Some(_) if cache.stats().hits > hits => {
                assert!(began <= last + 400, "a value that has expired is a hit: {}", began - last);
                fresh += 1;
            }
            Some(_) => {
                assert!(ended >= first + 400, "it had not expired: {}", ended - first);
                assert!(began <= last + 1_200, "it is kept for too long: {}", began - last);
                expired += 1;
            }
            // In the last time of a lease, what is left is not worth a claim that keeps it.
            None => {
                assert!(ended >= first + 1_100, "it is kept for too short: {}", ended - first);
                if began > last + 1_200 {
                    break;
                }
            }
        }
    }
    assert!(fresh > 0 && expired > 0, "{fresh} {expired}");
    let stats = cache.stats();
    assert!(stats.stale_hits > stats.failed_loads, "one call in the time of a lease tries again: {stats:?}");
}

#[tokio::test]
async fn a_load_that_nobody_ends_is_claimed_again_when_its_lease_is_over() {
    let (_server, cache, mut con) = start().await;
    let key = Hasty { id: 1 };
    expire(&mut con, &key);
    // A process that was killed.
    assert_eq!(con.ok(key.claim(&Token::random())), redis_keys::cache::Claim::Mine);
    let began = Instant::now();
    assert_eq!(cache.get_or_load(&key, || load("new")).await.expect(NO_ERROR).as_deref(), Some("new"));
    assert!(began.elapsed() >= Duration::from_millis(250), "{:?}", began.elapsed());
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(failing(&cache, &key).await.as_deref(), Some("new"), "it is stored");
}

#[tokio::test]
async fn a_call_that_is_cancelled_lets_another_one_load() {
    let (_server, cache, mut con) = start().await;
    expire(&mut con, &KEY);
    let source = Arc::new(Source::closed());
    let first = {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move { cache.get_or_load(&KEY, || source.load("never")).await })
    };
    source.wait_for_loads(1).await;
    first.abort();
    // The lease is five minutes.
    let second = cache.get_or_load(&KEY, || load("new"));
    let second = tokio::time::timeout(Duration::from_secs(20), second).await.expect("nobody waits for the lease");
    assert_eq!(second.expect(NO_ERROR).as_deref(), Some("new"));
}

#[tokio::test]
async fn without_the_server_there_is_no_expired_value() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start_with(&server, |call| if call.name == "fail" { CUT } else { call.forward() });
    let (cache, mut con) = (super::cache(&proxy.url()).await, Con::blocking(&server.url()));
    expire(&mut con, &KEY);
    assert!(cache.get_or_load(&KEY, fail).await.is_err());
    assert_eq!(
        failing(&super::cache(&server.url()).await, &KEY).await.as_deref(),
        Some("old"),
        "the value is still there"
    );
}

#[tokio::test]
async fn a_detached_load_and_many_keys_have_it_too() {
    let (_server, cache, mut con) = start().await;
    expire(&mut con, &KEY);
    let found = cache.get_or_load_detached(KEY, fail).await;
    assert_eq!(found.expect(NO_ERROR).as_deref(), Some("old"));
    let keys = [2, 3, 2].map(|id| Kept { id });
    for key in &keys {
        expire(&mut con, key);
    }
    let many = async |keys: &[Kept]| {
        cache.get_or_load_many(keys, async |_| Err::<Vec<(Kept, String)>, _>("the database is away")).await
    };
    let old = Some("old".to_owned());
    assert_eq!(many(&keys).await.expect(NO_ERROR), [old.clone(), old.clone(), old.clone()]);
    let loads = cache.stats().loads;
    assert_eq!(many(&keys).await.expect(NO_ERROR), [old.clone(), old.clone(), old]);
    assert_eq!(cache.stats().loads, loads, "the first load has failed a short time ago");
    cache.invalidate(&keys[1]).await.expect("the server replies");
    assert!(many(&keys).await.is_err(), "one has no value");
    assert!(failing(&cache, &keys[1]).await.is_none());
}

#[tokio::test]
async fn a_key_that_is_asked_for_twice_has_its_value_twice() {
    let (_server, cache, _) = start().await;
    let keys = [1, 1].map(|id| Kept { id });
    for loads in [1, 1] {
        let found = cache.get_or_load_many(&keys, async |_| Ok::<_, ()>([(KEY, "new".to_owned())])).await;
        assert_eq!(found.expect(NO_ERROR), [Some("new".to_owned()), Some("new".to_owned())]);
        assert_eq!(cache.stats().loads, loads);
    }
}

#[tokio::test]
async fn a_value_whose_refresh_has_failed_is_returned_at_once_when_it_expires() {
    let _each_hit = fix_jitter(0.0);
    let (_server, cache, mut con) = start().await;
    let key = Refreshed { id: 1 };
    con.ok(key.set("old"));
    set_left(&mut con, &key, 62 * 60_000);
    assert_eq!(failing(&cache, &key).await.as_deref(), Some("old"));
    assert_eq!((cache.stats().refreshes, cache.stats().stale_hits), (1, 0));
    set_left(&mut con, &key, 59 * 60_000);
    assert_eq!(failing(&cache, &key).await.as_deref(), Some("old"));
    assert_eq!((cache.stats().loads, cache.stats().stale_hits), (1, 1));
}

#[tokio::test]
async fn no_near_copy_is_older_than_the_ttl() {
    let server = Server::start().expect("a server starts");
    let cache = Cache::new(redis_keys::connect(server.url()).expect("the address is valid"));
    let mut con = Con::blocking(&server.url());
    let key = Near { id: fastrand::u32(..) };
    con.ok(key.set("old"));
    let near_hits = async || {
        assert_eq!(cache.get_or_load(&key, fail).await.expect(NO_ERROR).as_deref(), Some("old"));
        cache.stats().near.hits
    };
    while near_hits().await == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    set_left(&mut con, &key, 60 * 60_000 + 200);
    // A value with 200 milliseconds left has a copy for that time.
    let mut last = near_hits().await;
    while cache.stats().stale_hits < 20 {
        last = near_hits().await;
    }
    assert_eq!(near_hits().await, last, "there is no copy of an expired value");
    assert!(cache.get_or_load_shared(&key, fail).await.expect(NO_ERROR).is_some_and(|value| *value == "old"));
    cache.invalidate(&key).await.expect("the server replies");
    assert!(cache.get_or_load(&key, fail).await.is_err());
}

#[tokio::test]
async fn keys_are_not_warm_if_their_loader_fails() {
    let (_server, cache, mut con) = start().await;
    expire(&mut con, &KEY);
    let load = async |_: Vec<&Kept>| Err::<Vec<(Kept, String)>, _>("the database is away");
    assert!(matches!(cache.warm(&[KEY], load, |_| {}).await, Err(LoadError::Loader(_))));
}
