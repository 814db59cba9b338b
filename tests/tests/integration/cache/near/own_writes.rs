//! Writes of the process itself: once one has returned, no call of the process gets what was there before.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use redis_keys::cache::{Cache, Claim, Token};
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, Server};
use redis_keys::{SharedConnection, atomic, batch, batch_iter, cluster};
use redis_keys_tests::{Con, MovingSlot, shared_cluster, until};
use tokio::runtime::Runtime;
use tokio::sync::Notify;
use tokio::task::{JoinHandle, block_in_place};

use super::keys::{Adopted, Beside, Number, Renamed};
use super::proxy::SilentProxy;
use super::{TIME_LIMIT, connect, copied, hits, near_cache, new_ids, put, read, start, text};
use crate::cache::{NO_ERROR, client};

const REPLIES: &str = "the server replies";

/// The source of the numbers, and the number below which none may be read any more.
#[derive(Default)]
struct Source {
    number: AtomicU64,
    floor: AtomicU64,
}

/// Reads the number in one of the ways. Returns whether it is too old.
async fn is_stale<C: SharedConnection>(cache: &Cache<C>, key: &Number, source: &Source, way: u64) -> bool {
    let floor = source.floor.load(SeqCst);
    let load = || async { Ok::<_, Infallible>(Some(source.number.load(SeqCst))) };
    let number = match way % 8 {
        0 => {
            let rows = |missing: Vec<&Number>| {
                let missing: Vec<_> = missing.into_iter().cloned().collect();
                async { Ok::<_, Infallible>(missing.into_iter().map(|key| (key, source.number.load(SeqCst)))) }
            };
            cache.get_or_load_many(slice::from_ref(key), rows).await.expect(NO_ERROR).remove(0)
        }
        1 => cache.get_or_load_shared(key, load).await.expect(NO_ERROR).map(|number| *number),
        _ => cache.get_or_load(key, load).await.expect(NO_ERROR),
    };
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
            stale += u64::from(is_stale(&cache, &key, &source, reads).await);
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
        let way = match number % 13 {
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
            11 => {
                key.purge().run(&con).await.expect(REPLIES);
                "purge"
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
                cache.warm(slice::from_ref(&key), rows, |_| {}).await.expect(NO_ERROR);
                "warm"
            }
        };
        source.floor.store(number, SeqCst);
        let is_stale = is_stale(if number % 2 == 0 { &cache } else { &other }, &key, &source, number / 2).await;
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
    Runtime::new().expect("a runtime starts").block_on(write_on_a_cluster(&cluster, 300, false));
}

#[test]
fn no_call_gets_what_the_process_has_replaced_while_a_slot_moves() {
    let cluster = Cluster::start().expect("a cluster starts");
    Runtime::new().expect("a runtime starts").block_on(write_on_a_cluster(&cluster, 300, true));
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_no_call_gets_what_the_process_has_replaced_while_a_slot_moves() {
    let cluster = Cluster::start().expect("a cluster starts");
    Runtime::new().expect("a runtime starts").block_on(write_on_a_cluster(&cluster, 10_000, true));
}

/// Writes, each followed by reads of its own, while others read. If the slot moves, it moves half of the time.
async fn write_on_a_cluster(cluster: &Cluster, writes: u64, slot_moves: bool) {
    let con = cluster::connect(cluster.urls().remove(0)).expect("the address is valid");
    let cache = Cache::new(con.clone()).with_time_limit(TIME_LIMIT);
    let (key, source) = (Number { id: new_ids() }, Arc::<Source>::default());
    copied(&cache, &key).await;
    let is_over = Arc::default();
    let readers = [(); 2].map(|()| spawn_reader(&cache, &key, &source, &is_over)).into();
    let (mut stale_after, mut moving) = (BTreeMap::new(), None);
    for number in 1..=writes {
        match number % 50 {
            10 if slot_moves => moving = Some(block_in_place(|| MovingSlot::open(cluster, &text(&key)))),
            35 => moving.take().into_iter().for_each(|slot| block_in_place(|| slot.finish(cluster))),
            _ => {}
        }
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
        for reading in 0..4 {
            let is_stale = is_stale(&cache, &key, &source, reading).await;
            *stale_after.entry(way).or_insert(0) += u64::from(is_stale);
        }
    }
    is_over.store(true, Relaxed);
    let what = if slot_moves { "own writes on a cluster while a slot moves" } else { "own writes on a cluster" };
    check(what, writes, readers, &stale_after, &[cache]).await;
}

/// A full server refuses leases, so that calls share what others load without one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_later_call_joins_a_load_from_before_an_own_write() {
    let server = Server::start().expect("a server starts");
    let (con, cache, other) = (connect(&server.url()), near_cache(&server.url()), near_cache(&server.url()));
    copied(&cache, &Number { id: new_ids() }).await;
    let _: String = Con::blocking(&server.url()).raw(&["CONFIG", "SET", "maxmemory", "1"]);
    for way in ["invalidate of another cache", "unlink", "unlink in a batch", "purge"] {
        let (key, row) = (Number { id: new_ids() }, Arc::new(AtomicU64::new(1)));
        let (has_read, goes_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        let first = tokio::spawn({
            let (cache, key, row) = (cache.clone(), key.clone(), Arc::clone(&row));
            let (has_read, goes_on) = (Arc::clone(&has_read), Arc::clone(&goes_on));
            async move {
                let load = || async {
                    let number = row.load(SeqCst);
                    has_read.notify_one();
                    goes_on.notified().await;
                    Ok::<_, Infallible>(Some(number))
                };
                cache.get_or_load(&key, load).await.expect(NO_ERROR)
            }
        });
        has_read.notified().await;
        row.store(2, SeqCst);
        let load = || async { Ok::<_, Infallible>(Some(row.load(SeqCst))) };
        match way {
            "unlink" => _ = key.unlink().run(&con).await.expect(REPLIES),
            "unlink in a batch" => _ = batch([key.unlink()]).run(&con).await.expect(REPLIES),
            "purge" => _ = key.purge().run(&con).await.expect(REPLIES),
            _ => _ = other.invalidate(&key).await.expect(REPLIES),
        }
        // If it joined the load, it would load alone after ten seconds.
        let later = tokio::time::timeout(Duration::from_secs(5), cache.get_or_load(&key, load)).await;
        assert_eq!(later.expect("it does not wait").expect(NO_ERROR), Some(2), "{way}");
        goes_on.notify_one();
        assert_eq!(first.await.expect("it does not panic"), Some(1), "{way}");
    }
}

/// The server cannot say what has changed, and the copies would be served for two seconds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_kind_of_own_write_ends_the_copy_without_the_server() {
    let server = Server::start().expect("a server starts");
    let (proxy, mut raw) = (SilentProxy::start(&server), Con::blocking(&server.url()));
    let (con, other) = (connect(&server.url()), near_cache(&server.url()));
    let mut blocking = client(&server.url()).get_connection().expect(REPLIES);
    // With the time limit that programs have: nothing is read on the silent connection.
    let cache = Cache::new(redis_keys::connect(proxy.url()).expect("the address is valid"));
    let first = new_ids();
    let [control, by_cache, by_other, by_set, by_unlink, by_purge, by_batch, by_group, by_blocking, by_fill] =
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(|index| Number { id: first + index });
    let numbers =
        [&control, &by_cache, &by_other, &by_set, &by_unlink, &by_purge, &by_batch, &by_group, &by_blocking, &by_fill];
    let (adopted, renamed) =
        ([0, 1].map(|index| Adopted { id: first + index }), [0, 1].map(|index| Renamed { id: first + index }));
    for key in numbers {
        put(&mut raw, key, 1);
        assert_eq!(copied(&cache, key).await, Some(1));
    }
    for index in 0..2 {
        put(&mut raw, &adopted[index], 1);
        put(&mut raw, &renamed[index], 1);
        assert_eq!(copied(&cache, &adopted[index]).await, Some(1));
        assert_eq!(copied(&cache, &renamed[index]).await, Some(1));
    }
    // The answer to this read is a sign of life.
    assert_eq!(read(&cache, &Number { id: first + 10 }).await, Some(super::LOADED));
    proxy.be_silent(true);
    cache.invalidate(&by_cache).await.expect(REPLIES);
    other.invalidate(&by_other).await.expect(REPLIES);
    by_set.set(&2).run(&con).await.expect(REPLIES);
    by_unlink.unlink().run(&con).await.expect(REPLIES);
    by_purge.purge().run(&con).await.expect(REPLIES);
    batch((Beside { id: first }.set(&0), by_batch.set(&2))).run(&con).await.expect(REPLIES);
    atomic((Beside { id: by_group.id }.set(&0), by_group.set(&2))).run(&con).await.expect(REPLIES);
    block_in_place(|| by_blocking.set(&2).query(&mut blocking)).expect(REPLIES);
    // What another program has removed is filled here.
    let token = Token::random();
    let _: u8 = raw.raw(&["DEL", &super::text(&by_fill)]);
    assert_eq!(by_fill.claim(&token).run(&con).await.expect(REPLIES), Claim::Mine);
    assert!(by_fill.fill(&token, Some(&2)).run(&con).await.expect(REPLIES));
    cache.invalidate(&adopted[0]).await.expect(REPLIES);
    cache.invalidate(&adopted[1].clone().other_name()).await.expect(REPLIES);
    cache.invalidate(&renamed[0]).await.expect(REPLIES);
    cache.invalidate(&renamed[1].clone().other_name()).await.expect(REPLIES);

    let mut wrong = Vec::new();
    for key in &numbers[1..] {
        wrong.extend((read(&cache, *key).await == Some(1)).then(|| super::text(*key)));
    }
    for key in &adopted {
        wrong.extend((read(&cache, key).await == Some(1)).then(|| super::text(key)));
    }
    for key in &renamed {
        wrong.extend((read(&cache, key).await == Some(1)).then(|| super::text(key)));
    }
    let before = hits(&cache);
    assert_eq!((read(&cache, &control).await, hits(&cache)), (Some(1), before + 1), "copies are served all the time");
    assert_eq!(wrong, [""; 0]);
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
