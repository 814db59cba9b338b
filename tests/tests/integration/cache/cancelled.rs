//! Callers who go away.

use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use redis_keys::cache::{Cache, LoadedValue};
use redis_keys::prelude::*;
use redis_keys::testing::Server;

use super::{cache, finished};

/// A name whose lease is far longer than its loads.
#[derive(RedisKey)]
#[redis_key(cached:brief:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, lease = 5s))]
struct Brief {
    id: u32,
}

const CALLERS: u64 = 24;
const CALLS: usize = 150;

/// Asks for a value that lives for some milliseconds, and takes some to load.
async fn ask<C>(cache: &Cache<C>)
where
    C: redis_keys::AsyncConnection + Clone + Send + Sync + 'static,
{
    let load = || async {
        tokio::time::sleep(Duration::from_millis(2)).await;
        Ok::<_, ()>(LoadedValue::found("Ada".to_owned()).expire_in(Duration::from_millis(5)))
    };
    let found = cache.get_or_load(&Brief { id: 1 }, load).await;
    assert_eq!(found.expect("the load does not fail").as_deref(), Some("Ada"));
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_who_go_away_keep_nobody_waiting() {
    let server = Server::start().expect("a server starts");
    let cache = Arc::new(cache(&server.url()).await);
    let callers: Vec<_> = (0..CALLERS)
        .map(|number| {
            let (cache, mut rng) = (Arc::clone(&cache), Rng::with_seed(redis_keys_tests::seed() + number));
            tokio::spawn(async move {
                let mut longest = Duration::ZERO;
                for _ in 0..CALLS {
                    if number % 3 != 0 {
                        let patience = Duration::from_micros(rng.u64(0..4000));
                        _ = tokio::time::timeout(patience, ask(&cache)).await;
                    } else {
                        let started = Instant::now();
                        ask(&cache).await;
                        longest = longest.max(started.elapsed());
                    }
                }
                longest
            })
        })
        .collect();
    for caller in callers {
        let longest = finished(caller).await;
        assert!(longest < Duration::from_millis(2500), "a call has waited for {longest:?}");
    }
    let stats = cache.stats();
    assert_eq!((stats.unanswered, stats.server_errors, stats.failed_loads), (0, 0, 0), "{stats:?}");
}
