//! Expired values while the server, another program or another declaration is in the way.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use redis::aio::ConnectionManager;
use redis_keys::cache::{Cache, Claim, Token};
use redis_keys::parameter::bucket::Day;
use redis_keys::prelude::*;
use redis_keys::testing::{Server, fix_jitter};
use redis_keys_tests::Con;

use super::load_source::{PATIENCE, Source, load};
use super::{NO_ERROR, bytes, cache, finished};
use crate::proxy::{CUT, LateCommand, Proxy};

/// A name that is kept. Its lease is longer than any test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, RedisKey)]
#[redis_key(
    fault:name:{id}:string, value = String, ttl = 1h, jitter = 5m,
    cache(null_ttl = 5m, lease = 5m, refresh = 50%, stale = 1h),
)]
struct Kept {
    id: u32,
}

/// The same in a program that does not keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, RedisKey)]
#[redis_key(
    fault:name:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 5m),
    allow(overlap, reason = "another version of the program"),
)]
struct Plain {
    id: u32,
}

/// A name whose lease ends in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, RedisKey)]
#[redis_key(fault:leased:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 4s, stale = 1h))]
struct Leased {
    id: u32,
}

/// The same, with near copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, RedisKey)]
#[redis_key(
    fault:near:{id}:string, value = String, ttl = 1h, jitter = 5m,
    cache(null_ttl = 5m, lease = 4s, near = 1m, stale = 1h),
)]
struct Near {
    id: u32,
}

/// A name that can be written until an hour after the end of its day.
#[derive(RedisKey)]
#[redis_key(fault:daily:{day}:string, value = String, ttl = 1h, jitter = 5m, ttl_from_end_of = day, cache(null_ttl = 5m))]
struct Daily {
    day: Day,
}

const KEY: Kept = Kept { id: 1 };

/// Stores an old value, which has expired.
fn expire<K: CachedKey<Value = String>>(con: &mut Con, key: &K) {
    con.ok(key.set("old"));
    set_left(con, key, 50);
}

fn set_left(con: &mut Con, key: &impl RedisKey, minutes: i64) {
    let _: bool = con.raw(&["PEXPIRE", &key.key().expect("the key is valid"), &(minutes * 60_000).to_string()]);
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

async fn failing_many<K>(cache: &Cache<ConnectionManager>, keys: &[K]) -> Option<Vec<Option<String>>>
where
    K: CachedKey<Value = String>,
{
    cache.get_or_load_many(keys, async |_| Err::<Vec<(K, String)>, _>("the database is away")).await.ok()
}

async fn in_time<T>(call: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, call).await.expect("the call ends in time")
}

/// Lets calls claim before they read.
async fn miss_often<K: CachedKey<Value = String>>(cache: &Cache<ConnectionManager>, key: impl Fn(u32) -> K) {
    for id in 1_000..1_100 {
        _ = failing(cache, &key(id)).await;
    }
    assert!(cache.stats().claims_first > 0);
}

#[tokio::test]
async fn a_killed_process_is_waited_for_until_its_lease_ends_and_not_for_another_lease() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let near = Cache::new(redis_keys::connect(server.url()).expect("the address is valid"));
    let (single, many, pushed) = (Leased { id: 1 }, Leased { id: 2 }, Near { id: 3 });
    while near.stats().near.hits == 0 {
        near.get_or_load(&Near { id: 4 }, || load("near")).await.expect(NO_ERROR);
    }
    for key in [single, many] {
        expire(&mut con, &key);
        assert_eq!(con.ok(key.claim(&Token::random())), Claim::Mine);
    }
    expire(&mut con, &pushed);
    assert_eq!(con.ok(pushed.claim(&Token::random())), Claim::Mine);
    tokio::time::sleep(Duration::from_secs(3)).await;
    let began = Instant::now();
    let first = async {
        assert_eq!(cache.get_or_load(&single, || load("new")).await.expect(NO_ERROR).as_deref(), Some("new"));
        began.elapsed()
    };
    let second = async {
        let found = cache.get_or_load_many(&[many], async |_| Ok::<_, ()>([(many, "new".to_owned())])).await;
        assert_eq!(found.expect(NO_ERROR), [Some("new".to_owned())]);
        began.elapsed()
    };
    let third = async {
        assert_eq!(near.get_or_load(&pushed, || load("new")).await.expect(NO_ERROR).as_deref(), Some("new"));
        began.elapsed()
    };
    let (first, second, third) = tokio::join!(first, second, third);
    let stored = [bytes(&mut con, &single), bytes(&mut con, &many), bytes(&mut con, &pushed)];
    let stored = stored.map(|content| content.is_some_and(|content| content.ends_with(b"new")));
    assert!(
        [first, second, third].iter().all(|time| *time < Duration::from_millis(2_800)),
        "{first:?} {second:?} {third:?}"
    );
    assert_eq!(stored, [true; 3]);
}

#[tokio::test]
async fn a_refresh_that_is_cancelled_holds_up_nobody_when_the_value_expires() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    con.ok(KEY.set("old"));
    let _: bool = con.raw(&["PEXPIRE", &KEY.key().expect("the key is valid"), "3602000"]);
    let source = Arc::new(Source::closed());
    let refresh = {
        let (cache, source) = (cache.clone(), Arc::clone(&source));
        tokio::spawn(async move { cache.get_or_load(&KEY, || source.load("never")).await })
    };
    source.wait_for_loads(1).await;
    refresh.abort();
    _ = refresh.await;
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    assert_eq!(in_time(cache.get_or_load(&KEY, || load("new"))).await.expect(NO_ERROR).as_deref(), Some("new"));
}

#[tokio::test]
async fn a_refresh_whose_claim_is_not_answered_holds_up_nobody_when_the_value_expires() {
    let _each_hit = fix_jitter(0.0);
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start_with(&server, |call| {
        let reply = call.forward();
        if call.name == "claim_refresh" { CUT } else { reply }
    });
    let (cut, cache, mut con) = (cache(&proxy.url()).await, cache(&server.url()).await, Con::blocking(&server.url()));
    con.ok(KEY.set("old"));
    let _: bool = con.raw(&["PEXPIRE", &KEY.key().expect("the key is valid"), "3602000"]);
    assert_eq!(cut.get_or_load(&KEY, || load("never")).await.expect(NO_ERROR).as_deref(), Some("old"));
    assert!(bytes(&mut con, &KEY).is_some_and(|content| content.starts_with(b"\xC1r")), "it was claimed");
    tokio::time::sleep(Duration::from_millis(2_100)).await;
    assert_eq!(in_time(cache.get_or_load(&KEY, || load("new"))).await.expect(NO_ERROR).as_deref(), Some("new"));
}

#[tokio::test]
async fn a_claim_that_arrives_after_its_load_has_failed_holds_nothing() {
    let server = Server::start().expect("a server starts");
    let (late, claims) = mpsc::channel::<LateCommand>();
    let late = Mutex::new(late);
    let proxy = Proxy::start_with(&server, move |call| {
        if call.name == "claim" {
            late.lock().expect("nothing panics").send(call.later()).expect("the test goes on");
            return CUT;
        }
        call.forward()
    });
    let (cut, cache, mut con) = (cache(&proxy.url()).await, cache(&server.url()).await, Con::blocking(&server.url()));
    expire(&mut con, &KEY);
    assert_eq!(failing(&cut, &KEY).await.as_deref(), Some("old"));
    tokio::time::sleep(Duration::from_millis(300)).await;
    for claim in claims.try_iter() {
        claim();
    }
    assert_eq!(in_time(cache.get_or_load(&KEY, || load("new"))).await.expect(NO_ERROR).as_deref(), Some("new"));
}

#[tokio::test]
async fn on_a_full_server_one_failed_load_is_enough_for_all() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    for id in [1, 2] {
        expire(&mut con, &Kept { id });
    }
    let _: String = con.raw(&["CONFIG", "SET", "maxmemory", "1"]);
    let source = Arc::new(Source::closed());
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let (cache, source) = (cache.clone(), Arc::clone(&source));
            tokio::spawn(async move { cache.get_or_load(&KEY, || fail_later(&source)).await.ok().flatten() })
        })
        .collect();
    source.wait_for_loads(1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    source.let_all_end();
    for call in calls {
        assert_eq!(finished(call).await.as_deref(), Some("old"));
    }
    let loads = source.loads();
    let many = failing_many(&cache, &[Kept { id: 2 }, KEY, KEY]).await;
    assert!(loads < 4, "{loads}");
    assert_eq!(many, Some(vec![Some("old".to_owned()); 3]));
}

#[tokio::test]
async fn among_many_keys_one_of_another_type_is_missing() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let keys = [1, 2, 3].map(|id| Kept { id });
    con.ok(keys[0].set("Ada"));
    let _: i64 = con.raw(&["RPUSH", &keys[1].key().expect("the key is valid"), "x"]);
    let found = cache
        .get_or_load_many(&keys, async |missing| {
            Ok::<_, ()>(missing.into_iter().map(|key| (*key, "new".to_owned())).collect::<Vec<_>>())
        })
        .await;
    let found: Vec<_> = found.expect(NO_ERROR).into_iter().flatten().collect();
    assert_eq!(found, ["Ada", "new", "new"]);
    assert!(bytes(&mut con, &keys[2]).is_some_and(|content| content.ends_with(b"new")), "it is stored");
    assert_eq!(con.ok(Kept::get_many(keys)), [Some("Ada".to_owned()), None, Some("new".to_owned())]);
}

#[tokio::test]
async fn a_program_that_does_not_keep_values_returns_none_that_has_expired() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    for id in 1..=4 {
        con.ok(Kept { id }.set("old"));
    }
    let keys = [3, 4].map(|id| Plain { id });
    let many = async || {
        let source = async |missing: Vec<&Plain>| {
            Ok::<_, ()>(missing.into_iter().map(|key| (*key, "new".to_owned())).collect::<Vec<_>>())
        };
        cache.get_or_load_many(&keys, source).await.expect(NO_ERROR).into_iter().flatten().collect::<Vec<_>>()
    };
    assert_eq!(cache.get_or_load(&Plain { id: 1 }, || load("new")).await.expect(NO_ERROR).as_deref(), Some("old"));
    assert_eq!(in_time(many()).await, ["old", "old"]);
    assert_eq!((cache.stats().hits, cache.stats().loads), (3, 0));
    for id in 1..=4 {
        set_left(&mut con, &Kept { id }, 50);
    }
    assert_eq!(cache.get_or_load(&Plain { id: 1 }, || load("new")).await.expect(NO_ERROR).as_deref(), Some("new"));
    assert!(cache.get_or_load(&Plain { id: 2 }, fail).await.is_err());
    assert_eq!(in_time(many()).await, ["new", "new"]);
    assert_eq!(bytes(&mut con, &Plain { id: 3 }).as_deref(), Some(&b"new"[..]));
    // And one that keeps them reads what it stores.
    assert_eq!(failing(&cache, &KEY).await.as_deref(), Some("new"));
}

#[tokio::test]
async fn while_the_breaker_is_open_nothing_is_sent_for_keys_that_miss_often() {
    let server = Server::start().expect("a server starts");
    let is_away = Arc::new(AtomicBool::new(false));
    let away = Arc::clone(&is_away);
    let proxy = Proxy::start_with(&server, move |call| {
        while away.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(5));
        }
        call.forward()
    });
    let cache = cache(&proxy.url()).await.with_time_limit(Duration::from_millis(200));
    miss_often(&cache, |id| Kept { id }).await;
    is_away.store(true, Relaxed);
    proxy.take();
    while !cache.stats().breaker_is_open {
        cache.get_or_load(&KEY, || load("new")).await.expect(NO_ERROR);
    }
    for _ in 0..50 {
        cache.get_or_load(&KEY, || load("new")).await.expect(NO_ERROR);
    }
    is_away.store(false, Relaxed);
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert!(proxy.commands().len() < 20, "{:?}", proxy.commands());
}

#[tokio::test]
async fn a_key_that_can_be_written_no_more_is_read() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    let day = |id: u32| Day::new(2001, 1 + (id % 12) as u8, 1 + (id / 12 % 28) as u8).expect("a day");
    for id in 1..100 {
        _ = failing(&cache, &Daily { day: day(id) }).await;
    }
    let key = Daily { day: day(0) };
    let _: String = con.raw(&["SET", &key.key().expect("the key is valid"), "old", "PX", "600000"]);
    let found = cache.get_or_load(&key, || load("new")).await.expect(NO_ERROR);
    assert_eq!(found.as_deref(), Some("old"), "it is there");
}

#[tokio::test]
async fn a_value_is_found_where_claims_are_refused() {
    let server = Server::start().expect("a server starts");
    let is_refused = Arc::new(AtomicBool::new(false));
    let refused = Arc::clone(&is_refused);
    let proxy = Proxy::start_with(&server, move |call| {
        if call.name == "claim" && refused.load(Relaxed) {
            b"-NOPERM this user has no permissions to run the 'evalsha' command\r\n".to_vec()
        } else {
            call.forward()
        }
    });
    let (cache, mut con) = (cache(&proxy.url()).await, Con::blocking(&server.url()));
    miss_often(&cache, |id| Kept { id }).await;
    is_refused.store(true, Relaxed);
    con.ok(KEY.set("old"));
    for _ in 0..100 {
        assert_eq!(cache.get_or_load(&KEY, || load("new")).await.expect(NO_ERROR).as_deref(), Some("old"));
    }
}

#[tokio::test]
async fn keys_that_miss_often_are_claimed_before_they_are_read() {
    let server = Server::start().expect("a server starts");
    let proxy = Proxy::start(&server);
    let (cache, mut con) = (cache(&proxy.url()).await, Con::blocking(&server.url()));
    miss_often(&cache, |id| Leased { id }).await;
    let key = Leased { id: 1 };
    proxy.wait_for("abandon", 100).await;
    proxy.take();
    assert_eq!(cache.get_or_load(&key, || load("new")).await.expect(NO_ERROR).as_deref(), Some("new"));
    assert_eq!(proxy.take(), ["claim", "fill"]);
    assert_eq!(cache.get_or_load(&key, || load("never")).await.expect(NO_ERROR).as_deref(), Some("new"));
    assert_eq!(proxy.take(), ["claim"]);
    expire(&mut con, &key);
    assert_eq!(failing(&cache, &key).await.as_deref(), Some("old"));
    assert_eq!(proxy.take(), ["claim", "fail"]);
    assert_eq!(failing(&cache, &key).await.as_deref(), Some("old"));
    assert_eq!(proxy.take(), ["claim"]);
}

#[tokio::test]
async fn times_that_are_cut_short_are_replaced() {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (cache(&server.url()).await, Con::blocking(&server.url()));
    miss_often(&cache, |id| Kept { id }).await;
    let contents: [&[u8]; 6] = [
        b"\xC1s",
        b"\xC1s0000003600000",
        b"\xC1rtheirs7890abcdef0000000000001\xC1s",
        b"\xC1s000000000000x0000003600000old",
        b"\xC1s00000000000000000003600000\xC1a",
        b"\xC1s          inf0000003600000old",
    ];
    for content in contents {
        for minutes in [40, 100] {
            let key = KEY.key().expect("the key is valid");
            let mut set = redis::cmd("SET");
            set.arg(&*key).arg(content).arg("PX").arg(minutes * 60_000);
            set.exec_async(&mut super::multiplexed(&server.url()).await).await.expect("the server replies");
            let found = in_time(cache.get_or_load(&KEY, || load("new"))).await.expect(NO_ERROR);
            assert_eq!(found.as_deref(), Some("new"), "{}", content.escape_ascii());
            let stored = bytes(&mut con, &KEY).unwrap_or_default();
            assert!(stored.ends_with(b"new") && stored.starts_with(b"\xC1s"), "{}", stored.escape_ascii());
        }
    }
}
