//! Values that cannot be cloned, and that are too large.

use std::convert::Infallible;

use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{Connection, Stored};
use redis_keys_tests::Con;

use super::keys::{BoxedOf, FragileOf, Number, Text};
use super::{copied, hits, near_cache, new_ids, put, start, text};
use crate::cache::NO_ERROR;
use crate::cache::load_source::Source;

/// Whether a call of its own task panics.
async fn panics<K>(cache: &Cache<Connection>, key: K) -> bool
where
    K: CachedKey<Value: Stored<Input = Output<K>>> + Send + Sync + 'static,
    Output<K>: Send + Sync,
{
    let cache = cache.clone();
    let call = tokio::spawn(async move {
        let nothing = || async { Ok::<_, Infallible>(None::<Output<K>>) };
        cache.get_or_load(&key, nothing).await.expect(NO_ERROR).is_some()
    });
    call.await.is_err()
}

type Output<K> = <<K as CachedKey>::Value as Stored>::Output;

#[tokio::test]
async fn a_value_that_cannot_be_cloned_breaks_only_the_calls_that_clone_it() {
    let (_server, cache, mut con) = start();
    let key = Number { id: new_ids() };
    copied(&cache, &key).await;
    break_and_mend(&cache, &mut con, |id| FragileOf { id }, |value| value.breaks).await;
    break_and_mend(&cache, &mut con, |id| BoxedOf { id }, |value| value.breaks).await;
    // The table goes on.
    let before = hits(&cache);
    copied(&cache, &key).await;
    assert!(hits(&cache) > before);
}

async fn break_and_mend<K>(
    cache: &Cache<Connection>,
    con: &mut Con,
    key: impl Fn(u64) -> K,
    breaks: impl Fn(&Output<K>) -> bool,
) where
    K: CachedKey<Value: Stored<Input = Output<K>>> + Send + Sync + 'static,
    Output<K>: Send + Sync,
{
    put(con, &key(1), r#"{"breaks":true}"#);
    for _ in 0..5 {
        assert!(panics(cache, key(1)).await);
    }
    let nothing = || async { Ok::<_, Infallible>(None::<Output<K>>) };
    let one = key(1);
    for _ in 0..5 {
        let shared = cache.get_or_load_shared(&one, nothing).await.expect(NO_ERROR).expect("a value");
        assert!(breaks(&shared));
    }
    assert!(cache.invalidate(&one).await.expect("the server replies"));
    put(con, &one, r#"{"breaks":false}"#);
    for _ in 0..5 {
        assert!(!panics(cache, key(1)).await);
    }
}

#[tokio::test]
async fn a_value_without_room_is_read_each_time_and_leaves_the_others_alone() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let cache = near_cache(&server.url()).with_near_bytes(100_000);
    let first = new_ids();
    for id in first..first + 20 {
        put(&mut con, &Number { id }, id);
    }
    for _ in 0..3 {
        for id in first..first + 20 {
            assert_eq!(copied(&cache, &Number { id }).await, Some(id));
        }
    }
    let (large, source) = ("x".repeat(60_000), Source::open());
    let _: String = con.raw(&["SET", &text(&Text { id: first }), &large, "PX", "60000"]);
    let before = hits(&cache);
    for _ in 0..3 {
        let found = cache.get_or_load(&Text { id: first }, || source.load("small")).await.expect(NO_ERROR);
        assert_eq!(found.as_ref(), Some(&large));
    }
    assert_eq!((hits(&cache), source.loads()), (before, 0));
    assert!(cache.stats().near.bytes <= 100_000, "{:?}", cache.stats().near);
}
