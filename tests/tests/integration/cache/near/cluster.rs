//! Copies of keys on a cluster, whose slots move and whose primaries are replaced.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use redis_keys::cache::Cache;
use redis_keys::cluster::{self, Connection};
use redis_keys::testing::{Cluster, ClusterNode};
use redis_keys_tests::{Con, MovingSlot, StoppedServer, fail_over, until, wait_until};
use tokio::runtime::Runtime;
use tokio::task::block_in_place;

use super::keys::{Beside, Number};
use super::truth::Truth;
use super::{BOUND_AND_TEST, LOADED, TIME_LIMIT, copied, hits, new_ids, put, read, text};
use crate::cache::{PATIENCE, client};

fn near_cache(cluster: &Cluster) -> Cache<Connection> {
    let clients: Vec<_> = cluster.urls().iter().map(|url| client(url)).collect();
    let options = redis_keys::ConnectOptions::new();
    Cache::new(cluster::connect_with(&clients, options).expect("the addresses are valid")).with_time_limit(TIME_LIMIT)
}

/// A client of a node.
fn client_of(node: &ClusterNode) -> Con {
    Con::blocking(&node.url())
}

/// Reads a key until its copy is the answer, with this number.
async fn copied_as(cache: &Cache<Connection>, key: &Number, number: u64) {
    let settled = super::becomes(cache, key, Some(number), PATIENCE).await;
    assert!(settled.is_some(), "{number}: {:?}", cache.stats());
    assert_eq!(copied(cache, key).await, Some(number));
}

/// The time from now on for which an old number is read, at most.
async fn old_for(cache: &Cache<Connection>, key: &Number, old: u64, most: Duration) -> Duration {
    let (began, mut last) = (Instant::now(), Duration::ZERO);
    while began.elapsed() < most {
        let asked = began.elapsed();
        match read(cache, key).await {
            Some(number) if number == old => last = asked,
            Some(number) if number == old + 1 => return last,
            // While a node is away.
            _ => {}
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    last.max(most)
}

#[test]
fn copies_follow_slots_that_move() {
    let cluster = Cluster::start().expect("a cluster starts");
    Runtime::new().expect("a runtime starts").block_on(async {
        let (cache, first) = (near_cache(&cluster), new_ids());
        // Of all primaries.
        for id in first..first + 30 {
            put(&mut client_of(&primary(&cluster, &Number { id })), &Number { id }, id);
            copied_as(&cache, &Number { id }, id).await;
        }
        let before = hits(&cache);
        for id in first..first + 30 {
            assert_eq!(read(&cache, &Number { id }).await, Some(id));
        }
        assert_eq!(hits(&cache), before + 30);
        let mut oldest = Duration::ZERO;
        for round in 0..6 {
            let key = Number { id: first + 100 + round };
            put(&mut client_of(&primary(&cluster, &key)), &key, 1);
            copied_as(&cache, &key, 1).await;
            // Other keys of the node go on.
            let mut slot = MovingSlot::open(&cluster, &text(&key));
            copied_as(&cache, &key, 1).await;
            slot.send(&text(&key));
            if round % 2 == 0 {
                // While the slot is still moving, with ASK.
                let mut target = client_of(slot.nodes()[1]);
                let _: String = target.raw(&["ASKING"]);
                put(&mut target, &key, 2);
                oldest = oldest.max(old_for(&cache, &key, 1, PATIENCE).await);
                slot.finish(&cluster);
            } else {
                slot.finish(&cluster);
                put(&mut client_of(&primary(&cluster, &key)), &key, 2);
                oldest = oldest.max(old_for(&cache, &key, 1, PATIENCE).await);
            }
            copied_as(&cache, &key, 2).await;
            // A write at the new node is pushed by the new node.
            put(&mut client_of(&primary(&cluster, &key)), &key, 3);
            oldest = oldest.max(old_for(&cache, &key, 2, PATIENCE).await);
        }
        // The keys stay behind, of which older servers say nothing. The cache learns of it when it reads of that slot.
        let key = Number { id: first + 200 };
        put(&mut client_of(&primary(&cluster, &key)), &key, 1);
        copied_as(&cache, &key, 1).await;
        let slot = MovingSlot::open(&cluster, &text(&key));
        let [_, target] = slot.nodes();
        let words = ["CLUSTER", "SETSLOT", &slot.slot().to_string(), "NODE", target.id()];
        let _: String = client_of(target).raw(&words);
        cluster.wait_until_whole().expect("the nodes agree");
        put(&mut client_of(target), &key, 2);
        assert_eq!(read(&cache, &Beside { id: key.id }).await, Some(LOADED));
        oldest = oldest.max(old_for(&cache, &key, 1, PATIENCE).await);
        println!("slots that move: old values for at most {oldest:?}");
        assert!(oldest < BOUND_AND_TEST, "{oldest:?}");
    });
}

fn primary(cluster: &Cluster, key: &Number) -> ClusterNode {
    cluster.primary_of(&text(key)).expect("the cluster is whole")
}

/// Another client writes all the time and the cluster changes every hundred writes, while tasks read without a pause.
async fn versions(what: &str, cluster: &Cluster, writes: u64, most: Duration, change: impl Fn(&Number)) {
    let (cache, key) = (near_cache(cluster), Number { id: new_ids() });
    let (truth, is_over) = (Truth::new(), Arc::new(AtomicBool::new(false)));
    let mut con = block_in_place(|| client_of(&primary(cluster, &key)));
    put(&mut con, &key, 0);
    copied_as(&cache, &key, 0).await;
    let readers = truth.readers(&cache, &key, &is_over);
    for version in 1..=writes {
        block_in_place(|| put(&mut con, &key, version));
        truth.written();
        tokio::time::sleep(Duration::from_millis(2)).await;
        if version % 100 == 0 {
            con = block_in_place(|| {
                change(&key);
                client_of(&primary(cluster, &key))
            });
        }
    }
    is_over.store(true, Relaxed);
    for reader in readers {
        reader.await.expect("no reader panics");
    }
    let (oldest, near) = (truth.ages(what).oldest(), cache.stats().near);
    assert!(oldest < most, "{oldest:?} {near:?}");
    assert!(near.hits > writes && near.invalidated > 0, "{near:?}");
}

fn while_slots_move(writes: u64) {
    let cluster = Cluster::start().expect("a cluster starts");
    let change = |key: &Number| MovingSlot::open(&cluster, &text(key)).finish(&cluster);
    let runtime = Runtime::new().expect("a runtime starts");
    runtime.block_on(versions("on a cluster while a slot moves", &cluster, writes, BOUND_AND_TEST, change));
}

#[test]
fn writes_are_seen_within_the_bound_while_a_slot_moves() {
    while_slots_move(300);
}

#[test]
#[ignore = "takes long: `cargo xtask soak` runs it"]
fn long_writes_on_a_cluster_are_seen_within_the_bound() {
    while_slots_move(10_000);
    let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    let change = |key: &Number| {
        let _: u64 = client_of(&primary(&cluster, key)).raw(&["WAIT", "1", "5000"]);
        // Without a vote, since nodes vote for a shard only every few seconds.
        fail_over(&cluster, &text(key), Some("TAKEOVER"));
    };
    let runtime = Runtime::new().expect("a runtime starts");
    let most = Duration::from_secs(3);
    runtime.block_on(versions("on a cluster while primaries are replaced", &cluster, 3_000, most, change));
}

/// A primary that is replaced by its replica, in each way: asked to, stopped, and killed.
#[test]
fn no_copy_outlives_the_primary_for_long() {
    let mut cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    let runtime = Runtime::new().expect("a runtime starts");
    let cache = runtime.block_on(async { near_cache(&cluster) });
    let key = Number { id: new_ids() };
    let change = |node: &ClusterNode, number: u64| {
        let old = number - 1;
        put(&mut client_of(node), &key, number);
        let took = runtime.block_on(old_for(&cache, &key, old, PATIENCE));
        println!("the old value for {took:?} after the write");
        assert!(took < Duration::from_secs(3), "{took:?}");
        runtime.block_on(copied_as(&cache, &key, number));
    };
    put(&mut client_of(&primary(&cluster, &key)), &key, 1);
    runtime.block_on(copied_as(&cache, &key, 1));
    change(&primary(&cluster, &key), 2);
    wait_for_replica(&cluster, &key, 2);

    // The old primary becomes a replica, which goes on to answer.
    let new = fail_over(&cluster, &text(&key), None);
    change(&new, 3);
    change(&primary(&cluster, &key), 4);
    wait_for_replica(&cluster, &key, 4);

    // The old primary does not answer, and the replica takes its place without it.
    let old = primary(&cluster, &key);
    let replica = replica_of(&cluster, &old);
    let stopped = StoppedServer::at(&old.url());
    let _: String = client_of(&replica).raw(&["CLUSTER", "FAILOVER", "TAKEOVER"]);
    wait_until("the replica is a primary", || client_of(&replica).info("replication").contains("role:master"));
    change(&replica, 5);
    drop(stopped);
    cluster.wait_until_whole().expect("the nodes agree");
    change(&primary(&cluster, &key), 6);
    wait_for_replica(&cluster, &key, 6);

    // The old primary is gone.
    let old = primary(&cluster, &key);
    cluster.kill(old.port()).expect("the node runs");
    cluster.wait_until_whole().expect("a replica takes over");
    change(&primary(&cluster, &key), 7);
    assert!(cache.stats().near.connections_lost > 0, "{:?}", cache.stats().near);
    runtime.block_on(until("copies are on", || cache.stats().near.is_on));
}

fn replica_of(cluster: &Cluster, primary: &ClusterNode) -> ClusterNode {
    let nodes = cluster.nodes().expect("the cluster replies");
    nodes.into_iter().find(|node| node.is_replica_of(primary)).expect("the primary has a replica")
}

/// Waits until a failover loses nothing.
fn wait_for_replica(cluster: &Cluster, key: &Number, number: u64) {
    let mut con = client_of(&replica_of(cluster, &primary(cluster, key)));
    let _: String = con.raw(&["READONLY"]);
    let name = text(key);
    wait_until("the replica has the write", || con.raw::<Option<u64>>(&["GET", &name]) == Some(number));
}
