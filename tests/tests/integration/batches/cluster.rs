//! Batches on a cluster whose slots move and whose primaries change: no command is lost, applied twice or out of order.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use redis::ProtocolVersion;
use redis::aio::ConnectionLike;
use redis::cluster::ClusterClient;
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, ClusterNode};
use redis_keys::{SendStatus, batch, batch_iter, cluster};
use redis_keys_tests::{Con, MovingSlot, fail_over, shared_cluster, wait_until};

use super::keys::{Count, Log, TaggedCount, TaggedLog};

const TAG: u32 = 7;

fn client(cluster: &Cluster) -> ClusterClient {
    ClusterClient::builder(cluster.urls()).build().expect("the addresses are valid")
}

#[test]
fn batches_keep_their_order_while_a_slot_is_half_migrated() {
    let cluster = shared_cluster();
    for protocol in [ProtocolVersion::RESP2, ProtocolVersion::RESP3] {
        for connect in [Con::blocking_cluster, Con::async_cluster, Con::nodes] {
            let mut con = connect(&cluster, protocol);
            run_batches_in_half_migrated_slot(&cluster, &mut con);
            con.assert_all_expire();
            let _: String = con.raw(&["FLUSHALL"]);
        }
    }
}

/// Runs batches on a slot in which half of the keys exist, and half of those are migrated; the batches create the
/// others.
fn run_batches_in_half_migrated_slot(cluster: &Cluster, con: &mut Con) {
    let counts = |ids: std::ops::Range<u32>| ids.map(|id| TaggedCount { tag: TAG, id });
    let logs = |ids: std::ops::Range<u32>| ids.map(|id| TaggedLog { tag: TAG, id });
    con.batch(counts(0..20).map(|key| key.incr()).collect::<Vec<_>>()).expect("the batch succeeds");
    con.batch(logs(0..20).map(|key| key.append("0")).collect::<Vec<_>>()).expect("the batch succeeds");
    let mut slot =
        MovingSlot::open(cluster, &counts(0..1).next().and_then(|key| key.key().ok()).expect("the key is valid"));
    for id in (0..20).step_by(2) {
        slot.send(&TaggedCount { tag: TAG, id }.key().expect("the key is valid"));
        slot.send(&TaggedLog { tag: TAG, id }.key().expect("the key is valid"));
    }
    for round in 1..=5_u64 {
        let commands: Vec<_> = (0..40)
            .map(|id| (TaggedCount { tag: TAG, id }.incr(), TaggedLog { tag: TAG, id }.append(&round.to_string())))
            .collect();
        let found = con.batch(commands).expect("redirects are followed");
        for (id, (count, _)) in found.into_iter().enumerate() {
            assert_eq!(count, round + u64::from(id < 20), "count {id} in round {round}");
        }
    }
    slot.finish(cluster);
    for id in 0..40 {
        let before = if id < 20 { "0" } else { "" };
        assert_eq!(con.ok(TaggedLog { tag: TAG, id }.get()), Some(format!("{before}12345")));
    }
}

/// Counts that are only read, enough for a batch of them to be grouped by node.
const STABLE: std::ops::Range<u32> = 10_000..10_200;

/// A task that runs batches.
struct Task<C> {
    con: C,
    id: u32,
    rounds: u32,
}

impl<C: ConnectionLike + Send + 'static> Task<C> {
    /// Changes the keys of this task until `stop` is set, and counts the batches.
    async fn run(mut self, stop: &AtomicBool, done: &AtomicUsize) -> Self {
        while !stop.load(Ordering::Relaxed) {
            let keys = self.id * 100..self.id * 100 + 40;
            let text = format!("{} ", self.rounds);
            let appends = keys.clone().map(|id| Log { id }.append(&text));
            let counts = keys.map(|id| Count { id }.incr());
            let reads = STABLE.map(|id| Count { id }.get());
            let batch = batch((appends.collect::<Vec<_>>(), counts.collect::<Vec<_>>(), reads.collect::<Vec<_>>()));
            let (_, counts, read) = batch.query_async(&mut self.con).await.expect("the batch succeeds");
            assert_eq!(read, STABLE.map(|id| Some(u64::from(id))).collect::<Vec<_>>(), "unchanged keys are read");
            self.rounds += 1;
            assert_eq!(counts, vec![u64::from(self.rounds); 40], "each key is counted once");
            done.fetch_add(1, Ordering::Relaxed);
        }
        self
    }

    /// Asserts that every key has every change.
    async fn check(mut self) {
        let keys = self.id * 100..self.id * 100 + 40;
        let expected = (0..self.rounds).fold(String::new(), |all, round| all + &format!("{round} "));
        let logs = batch_iter(keys.clone().map(|id| Log { id }.get()))
            .query_async(&mut self.con)
            .await
            .expect("the server replies");
        assert_eq!(logs, vec![Some(expected); 40]);
        let counts =
            Count::get_many(keys.map(|id| Count { id })).query_async(&mut self.con).await.expect("the server replies");
        assert_eq!(counts, vec![Some(u64::from(self.rounds)); 40]);
    }
}

/// Stops the tasks, also when a test fails.
struct Stopper<'a>(&'a AtomicBool);

impl Drop for Stopper<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs batches in four tasks while the cluster changes: two on connections of redis-rs, two on those of this crate.
fn run_batches_during(cluster: &Cluster, change: impl Fn(&dyn Fn())) {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime starts");
    let stable = STABLE.map(|id| Count { id }.set(&u64::from(id))).collect::<Vec<_>>();
    Con::blocking_cluster(cluster, ProtocolVersion::RESP2).batch(stable).expect("the batch succeeds");
    let redis_rs = async || client(cluster).get_async_connection().await.expect("the cluster replies");
    let url = cluster.urls().remove(0);
    let ours = || cluster::connect(url.as_str()).expect("the address is valid");
    let (stop, done) = (AtomicBool::new(false), [const { AtomicUsize::new(0) }; 4]);
    let tasks = std::thread::scope(|scope| {
        let stopper = Stopper(&stop);
        let tasks = scope.spawn(|| {
            let run_redis_rs =
                async |id| Task { con: redis_rs().await, id, rounds: 0 }.run(&stop, &done[id as usize]).await;
            let run_ours = async |id| Task { con: ours(), id, rounds: 0 }.run(&stop, &done[id as usize]).await;
            runtime.block_on(async { tokio::join!(run_redis_rs(0), run_redis_rs(1), run_ours(2), run_ours(3)) })
        });
        let wait_for_batches = || {
            let counts = || done.each_ref().map(|count| count.load(Ordering::Relaxed));
            let before = counts();
            let all_advanced = || counts().iter().zip(before).all(|(now, before)| *now > before + 1);
            wait_until("some batches of each task are done", || all_advanced() || tasks.is_finished());
        };
        wait_for_batches();
        change(&wait_for_batches);
        wait_for_batches();
        drop(stopper);
        tasks.join().expect("no task panics")
    });
    let (a, b, c, d) = tasks;
    runtime.block_on(async { tokio::join!(a.check(), b.check(), c.check(), d.check()) });
    Con::blocking_cluster(cluster, ProtocolVersion::RESP3).assert_all_expire();
}

#[test]
fn no_command_is_lost_while_slots_move() {
    let cluster = shared_cluster();
    run_batches_during(&cluster, |wait_for_batches| {
        for id in 0..6 {
            let key = Count { id }.key().expect("the key is valid");
            let mut slot = MovingSlot::open(&cluster, &key);
            wait_for_batches();
            slot.send(&key);
            wait_for_batches();
            slot.finish(&cluster);
            wait_for_batches();
        }
    });
}

/// Returns a key for each primary. A node cannot become a primary again immediately after it was replaced.
fn key_for_each_primary(cluster: &Cluster) -> Vec<Count> {
    let nodes = cluster.nodes().expect("the cluster replies");
    let primaries = nodes.iter().filter(|node| node.is_primary());
    let served = |node: &ClusterNode| (0..1_000).map(|id| Count { id }).find(|count| serves(cluster, node, count));
    primaries.filter_map(served).collect()
}

fn serves(cluster: &Cluster, node: &ClusterNode, count: &Count) -> bool {
    let primary = cluster.primary_of(&count.key().expect("the key is valid")).expect("the cluster is whole");
    primary.id() == node.id()
}

#[test]
fn no_command_is_lost_while_primaries_change() {
    let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    let keys = key_for_each_primary(&cluster);
    run_batches_during(&cluster, |wait_for_batches| {
        for key in &keys {
            fail_over(&cluster, &key.key().expect("the key is valid"), None);
            wait_for_batches();
        }
    });
}

/// Single commands that the former primary rejects are sent to the new one.
#[test]
fn single_commands_survive_a_change_of_primaries() {
    let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    let keys = key_for_each_primary(&cluster);
    for (connect, key) in [Con::async_cluster, Con::blocking_cluster, Con::nodes].into_iter().zip(keys) {
        let mut con = connect(&cluster, ProtocolVersion::RESP2);
        assert_eq!(con.ok(key.incr()), 1);
        fail_over(&cluster, &key.key().expect("the key is valid"), None);
        assert_eq!(con.ok(key.incr()), 2);
        assert_eq!(con.ok(key.get()), Some(2));
    }
}

/// The time-out is long over before all commands would have waited for it.
#[test]
fn a_connection_that_replies_nothing_is_reported_as_stuck() {
    let cluster = shared_cluster();
    let pause = |words: &[&str]| {
        for url in cluster.urls() {
            let _: String = Con::blocking(&url).raw(words);
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        let client = ClusterClient::builder(cluster.urls()).response_timeout(Duration::from_millis(300)).build();
        let mut con =
            client.expect("the addresses are valid").get_async_connection().await.expect("the cluster replies");
        pause(&["CLIENT", "PAUSE", "60000", "WRITE"]);
        let results = batch_iter((0..200).map(|id| Count { id }.incr())).query_each_async(&mut con).await;
        pause(&["CLIENT", "UNPAUSE"]);
        let errors: Vec<_> = results.into_iter().map(|result| result.expect_err("no command is executed")).collect();
        assert!(errors.iter().all(|error| error.to_string().contains("is stuck and has to be replaced")), "{errors:?}");
        let unsent = errors.iter().filter(|error| error.sent() == SendStatus::No).count();
        assert!(unsent > 150, "{unsent} commands were not sent");
    });
}
