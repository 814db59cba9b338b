//! Hits in the memory of the process: near copies, what is written by hand in their place, and the copies of other
//! clients. One task, one value of eight bytes for each key, and the text of the key is written for each call.

use std::convert::Infallible;
use std::future::{Future, Ready, ready};
use std::hint::black_box;
use std::ops::Range;
use std::time::{Duration, Instant};

use redis::AsyncCommands as _;
use redis::caching::CacheConfig;
use redis_keys::Connection;
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use tokio::runtime::{Builder, Runtime};

use crate::connections::{MultiplexedServer, TASKS, share};
use crate::turns::{Side, take_turns};

const KEYS: u64 = 1_000;

/// The hits in a turn, in memory and in Redis.
const IDS: u64 = 20_000;
const IDS_IN_REDIS: u64 = 64;
const IDS_OF_TASKS: u64 = 64_000;

const TTL: Duration = Duration::from_mins(10);

/// A number with near copies.
#[derive(RedisKey)]
#[redis_key(near:number:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m, near = 10m))]
struct NearNumber {
    id: u64,
}

/// The same without them.
#[derive(RedisKey)]
#[redis_key(cached:number:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct CachedNumber {
    id: u64,
}

pub(crate) fn measure() {
    one_task();
    many_tasks();
}

/// With near copies, with `moka` and `quick_cache` by hand, with redis-rs's and rustis's copies, and without any.
fn one_task() {
    let server = Server::start().expect("a server starts");
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let cache = Cache::new(redis_keys::connect(server.url()).expect("the address is valid"));
    runtime.block_on(fill(&cache));
    let near = |ids| alone(&runtime, ids, async |id| get_or_load(&cache, &NearNumber { id }).await);
    let redis = |ids| alone(&runtime, ids, async |id| get_or_load(&cache, &CachedNumber { id }).await);

    let moka = moka::sync::Cache::builder().max_capacity(100_000).time_to_live(TTL).build();
    let quick_cache = quick_cache::sync::Cache::new(100_000);
    for id in 0..KEYS {
        moka.insert(text(id), id);
        quick_cache.insert(text(id), (id, Instant::now()));
    }
    let by_moka = |ids: Range<u64>| ids.for_each(|id| found(moka.get(&text(id % KEYS))));
    let by_quick_cache = |ids: Range<u64>| {
        let is_fresh = |(_, since): &(u64, Instant)| since.elapsed() < TTL;
        ids.for_each(|id| found(quick_cache.get(&text(id % KEYS)).filter(is_fresh).map(|(number, _)| number)));
    };

    let con = runtime.block_on(with_copies_of_redis_rs(&server.url()));
    let by_redis_rs = |ids| alone(&runtime, ids, async |id| con.clone().get::<_, u64>(text(id)).await.ok());
    let rustis = runtime.block_on(with_copies_of_rustis(&server.url()));
    let by_rustis = |ids| alone(&runtime, ids, async |id| rustis.get::<u64>(text(id)).await.ok());

    let sides = [
        Side::new(1, IDS, near),
        Side::new(1, IDS, by_moka),
        Side::new(1, IDS, by_quick_cache),
        Side::new(1, IDS, by_redis_rs),
        Side::new(1, IDS, by_rustis),
        Side::new(1, IDS_IN_REDIS, redis),
    ];
    take_turns("alone", 1, sides);
}

/// With near copies and without, in many tasks.
fn many_tasks() {
    let multiplexed = MultiplexedServer::start();
    let cache = Cache::new(multiplexed.connect_own()).with_time_limit(Duration::from_mins(1));
    multiplexed.runtime.block_on(fill(&cache));
    let near = async |id, cache: &mut Cache<_>| found(get_or_load(cache, &NearNumber { id: id % KEYS }).await);
    let redis = async |id, cache: &mut Cache<_>| found(get_or_load(cache, &CachedNumber { id: id % KEYS }).await);
    let sides = [
        Side::new(1, IDS_OF_TASKS, |ids| share(&multiplexed.runtime, TASKS, &cache, ids, near)),
        Side::new(1, IDS_OF_TASKS / 64, |ids| share(&multiplexed.runtime, TASKS, &cache, ids, redis)),
    ];
    take_turns("tasks", 1, sides);
}

/// Stores all numbers, and reads them until all of them are copies.
async fn fill(cache: &Cache<Connection>) {
    for id in 0..KEYS {
        found(get_or_load(cache, &CachedNumber { id }).await);
    }
    let mut hits = 0;
    while hits < KEYS {
        let before = cache.stats().near.hits;
        for id in 0..KEYS {
            found(get_or_load(cache, &NearNumber { id }).await);
        }
        hits = cache.stats().near.hits - before;
    }
}

async fn get_or_load<K>(cache: &Cache<Connection>, key: &K) -> Option<u64>
where
    K: redis_keys::cache::CachedKey<Value = u64>,
{
    cache.get_or_load(key, load).await.expect("the loader does not fail")
}

fn load() -> Ready<Result<Option<u64>, Infallible>> {
    ready(Ok(Some(1)))
}

async fn with_copies_of_redis_rs(url: &str) -> redis::aio::MultiplexedConnection {
    let client = redis::Client::open(format!("{url}?protocol=resp3")).expect("the address is valid");
    let config = redis::AsyncConnectionConfig::new().set_cache_config(CacheConfig::new());
    let mut con = client.get_multiplexed_async_connection_with_config(&config).await.expect("the server replies");
    for id in 0..KEYS {
        con.set::<_, _, ()>(text(id), id).await.expect("the server replies");
    }
    con
}

async fn with_copies_of_rustis(url: &str) -> std::sync::Arc<rustis::cache::Cache> {
    let client = rustis::client::Client::connect(url).await.expect("the server replies");
    rustis::cache::Cache::new(client, TTL.as_secs(), rustis::commands::ClientTrackingOptions::default())
        .await
        .expect("the server tracks keys")
}

fn alone<F>(runtime: &Runtime, ids: Range<u64>, work: impl Fn(u64) -> F)
where
    F: Future<Output = Option<u64>>,
{
    runtime.block_on(async {
        for id in ids {
            found(work(id % KEYS).await);
        }
    });
}

fn text(id: u64) -> String {
    format!("peer:number:{id}:string")
}

fn found(number: Option<u64>) {
    assert!(black_box(number).is_some(), "there is a number");
}
