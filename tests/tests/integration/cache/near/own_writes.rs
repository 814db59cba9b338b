//! Writes of the process itself: once one has returned, no call of the process gets what was there before.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64};

use redis_keys::cache::{Cache, Claim, Token};
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, Server};
use redis_keys::{Connection, SharedConnection, atomic, batch, batch_iter, cluster};
use redis_keys_tests::{Con, shared_cluster, until};
use tokio::runtime::Runtime;
use tokio::task::{JoinHandle, block_in_place};

use super::keys::{Adopted, Beside, Number, Renamed};
use super::{TIME_LIMIT, connect, copied, hits, near_cache, new_ids, put, read, start};
use crate::cache::{NO_ERROR, client};

const REPLIES: &str = "the server replies";

/// The source of the numbers, and the number below which none may be read any more.
#[derive(Default)]
struct Source {
    number: AtomicU64,
    floor: AtomicU64,
}

/// Reads the number. Returns whether it is too old.
async fn is_stale<C: SharedConnection>(cache: &Cache<C>, key: &Number, source: &Source) -> bool {
    let floor = source.floor.load(SeqCst);
    let load = || async { Ok::<_, Infallible>(Some(source.number.load(SeqCst))) };
    let number = cache.get_or_load(key, load).await.expect(NO_ERROR);
    number.is_none_or(|number| number < floor)
}

/// Reads without a pause until the end, and counts.
fn spawn_reader<C: SharedConnection>(
    cache: &Cache<C>,
    key: &Number,
    source: &Arc<Source>,
    is_over: &Arc<AtomicBool>,
) -> JoinHandle<(u64, u64)> {
    let (cache, key, source, is_over) = (cache.clone(), key.clone(), Arc::clone(source), Arc::clone(is_over));
    tokio::spawn(async move {
        let (mut reads, mut stale) = (0, 0);
        while !is_over.load(Relaxed) {
            stale += u64::from(is_stale(&cache, &key, &source).await);
            reads += 1;
        }
        (reads, stale)
    })
}

/// Writes in all ways on a server, each followed by a read of its own, while others read.
async fn write(writes: u64) {
    let server = Server::start().expect("a server starts");
    let (con, cache, other) = (connect(&server.url()), near_cache(&server.url()), near_cache(&server.url()));
    let mut blocking = client(&server.url()).get_connection().expect(REPLIES);
    let (key, source, is_over) = (Number { id: new_ids() }, Arc::<Source>::default(), Arc::default());
    copied(&cache, &key).await;
    copied(&other, &key).await;
    cache.invalidate(&key).await.expect(REPLIES);
    let readers: Vec<_> =
        [&cache, &other, &cache, &other].map(|cache| spawn_reader(cache, &key, &source, &is_over)).into();
    let mut stale_after = BTreeMap::new();
    for number in 1..=writes {
        source.number.store(number, SeqCst);
        let way = match number % 12 {
            0 => {
                cache.invalidate(&key).await.expect(REPLIES);
                "invalidate"
            }
            1 => {
                other.invalidate(&key).await.expect(REPLIES);
                "invalidate of another cache"
            }
            2 => {
                key.set(&number).run(&con).await.expect(REPLIES);
                "set"
            }
            3 => {
                key.unlink().run(&con).await.expect(REPLIES);
                "unlink"
            }
            4 => {
                batch((Beside { id: key.id }.set(&0), key.set(&number))).run(&con).await.expect(REPLIES);
                "set in a batch"
            }
            5 => {
                batch((Beside { id: key.id }.set(&0), key.unlink())).run(&con).await.expect(REPLIES);
                "unlink in a batch"
            }
            6 => {
                atomic((Beside { id: key.id }.unlink(), key.set(&number))).run(&con).await.expect(REPLIES);
                "set in an atomic group"
            }
            7 => {
                atomic((Beside { id: key.id }.set(&0), key.unlink())).run(&con).await.expect(REPLIES);
                "unlink in an atomic group"
            }
            8 => {
                block_in_place(|| key.set(&number).query(&mut blocking)).expect(REPLIES);
                "set on a blocking connection"
            }
            9 => {
                block_in_place(|| batch([key.unlink()]).query(&mut blocking)).expect(REPLIES);
                "unlink on a blocking connection"
            }
            10 => {
                let token = Token::random();
                key.unlink().run(&con).await.expect(REPLIES);
                if key.claim(&token).run(&con).await.expect(REPLIES) == Claim::Mine {
                    key.fill(&token, Some(&number)).run(&con).await.expect(REPLIES);
                }
                "fill"
            }
            _ => {
                // Nobody has a value between, and the absence is replaced.
                key.unlink().run(&con).await.expect(REPLIES);
                let rows = |_| async { Ok::<_, Infallible>([(key.clone(), number)]) };
                cache.warm(&[key.clone()], rows, |_| {}).await.expect(NO_ERROR);
                "warm"
            }
        };
        source.floor.store(number, SeqCst);
        let is_stale = is_stale(if number % 2 == 0 { &cache } else { &other }, &key, &source).await;
        *stale_after.entry(way).or_insert(0) += u64::from(is_stale);
    }
    is_over.store(true, Relaxed);
    check("own writes", writes, readers, &stale_after, &[cache, other]).await;
}

async fn check<C: SharedConnection>(
    what: &str,
    writes: u64,
    readers: Vec<JoinHandle<(u64, u64)>>,
    stale_after: &BTreeMap<&str, u64>,
    caches: &[Cache<C>],
) {
    let (mut reads, mut stale) = (0, 0);
    for reader in readers {
        let (more_reads, more_stale) = reader.await.expect("no reader panics");
        (reads, stale) = (reads + more_reads, stale + more_stale);
    }
    println!("soak: {writes} {what}, {reads} reads beside {what}, {stale} of them stale");
    assert!(stale_after.values().all(|stale| *stale == 0), "{stale_after:?}");
    assert_eq!(stale, 0);
    for cache in caches {
        let stats = cache.stats();
        assert!(stats.near.hits > 0 && stats.near.invalidated > 0, "{stats:?}");
        assert_eq!((stats.unanswered, stats.server_errors, stats.undecodable), (0, 0, 0), "{stats:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_call_gets_what_the_process_has_replaced() {
    write(2_400).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long: `cargo xtask soak` runs it"]
async fn long_no_call_gets_what_the_process_has_replaced() {
    write(20_000).await;
}

#[test]
fn no_call_on_a_cluster_gets_what_the_process_has_replaced() {
    let cluster = shared_cluster();
    Runtime::new().expect("a runtime starts").block_on(write_on_a_cluster(&cluster, 300));
}

async fn write_on_a_cluster(cluster: &Cluster, writes: u64) {
    let con = cluster::connect(cluster.urls().remove(0)).expect("the address is valid");
    let cache = Cache::new(con.clone()).with_time_limit(TIME_LIMIT);
    let (key, source) = (Number { id: new_ids() }, Arc::<Source>::default());
    copied(&cache, &key).await;
    let mut stale_after = BTreeMap::new();
    for number in 1..=writes {
        source.number.store(number, SeqCst);
        let way = match number % 3 {
            0 => {
                cache.invalidate(&key).await.expect(REPLIES);
                "invalidate"
            }
            1 => {
                let others = (1..10).map(|other| Number { id: key.id + other });
                let sets = others.chain([key.clone()]).map(|key| key.set(&number));
                batch_iter(sets).run(&con).await.expect(REPLIES);
                "set in a batch for several nodes"
            }
            _ => {
                key.set(&number).run(&con).await.expect(REPLIES);
                "set"
            }
        };
        source.floor.store(number, SeqCst);
        for _ in 0..4 {
            let is_stale = is_stale(&cache, &key, &source).await;
            *stale_after.entry(way).or_insert(0) += u64::from(is_stale);
        }
    }
    cache.invalidate(&key).await.expect(REPLIES);
    check("own writes on a cluster", writes, Vec::new(), &stale_after, &[cache]).await;
}

/// A key with two names, whose copy has the name that is in use.
async fn invalidate_other_name<K, O>(cache: &Cache<Connection>, con: &mut Con, key: K, other: O)
where
    K: CachedKey<Value = u64>,
    O: CachedKey<Value = u64>,
{
    for round in 0..50 {
        put(con, &key, round);
        until_copied(cache, &key, round).await;
        // By the name that is not in use.
        assert!(cache.invalidate(&other).await.expect(REPLIES));
        assert_eq!(read(cache, &key).await, Some(super::LOADED));
        put(con, &key, round);
        until_copied(cache, &key, round).await;
        assert!(cache.invalidate(&key).await.expect(REPLIES));
        assert_eq!(read(cache, &key).await, Some(super::LOADED));
    }
}

async fn until_copied<K: CachedKey<Value = u64>>(cache: &Cache<Connection>, key: &K, number: u64) {
    assert!(super::becomes(cache, key, Some(number), crate::cache::PATIENCE).await.is_some());
    assert_eq!(copied(cache, key).await, Some(number));
}

#[tokio::test]
async fn an_invalidation_ends_the_copy_of_the_name_in_use_by_either_name() {
    let (_server, cache, mut con) = start();
    let (adopted, renamed) = (Adopted { id: new_ids() }, Renamed { id: new_ids() });
    invalidate_other_name(&cache, &mut con, adopted.clone(), adopted.other_name()).await;
    invalidate_other_name(&cache, &mut con, renamed.clone(), renamed.other_name()).await;
}

/// What a process writes in one database ends copies of another one too, since servers track names only. That costs a
/// read, and no more.
#[tokio::test]
async fn caches_of_several_databases_keep_their_values_apart() {
    let (server, cache, mut con) = start();
    let elsewhere = near_cache(&format!("{}3", server.url()));
    let key = Number { id: new_ids() };
    put(&mut con, &key, 1);
    assert_eq!(copied(&cache, &key).await, Some(1));
    assert_eq!(copied(&elsewhere, &key).await, Some(super::LOADED));
    let (before, con) = (hits(&cache), connect(&format!("{}3", server.url())));
    key.set(&2).run(&con).await.expect(REPLIES);
    assert_eq!((read(&elsewhere, &key).await, read(&cache, &key).await), (Some(2), Some(1)));
    until("the copies are back", || hits(&cache) >= before).await;
}
