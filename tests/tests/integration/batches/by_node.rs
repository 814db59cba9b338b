//! Large batches on a cluster.

use std::time::Duration;

use redis::ProtocolVersion;
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use redis::cluster_read_routing::RandomReplicaStrategy;
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, ClusterNode};
use redis_keys::{Error, ErrorKind, batch, batch_iter};
use redis_keys_tests::{Con, MovingSlot, on_a_cluster, shared_cluster, wait_until};

use super::keys::{Count, Log, TaggedLog};

#[expect(clippy::unnecessary_wraps, reason = "the result of a read")]
fn text(id: u32) -> Option<String> {
    Some(id.to_string())
}

fn fill(con: &mut Con, ids: std::ops::Range<u32>) {
    con.batch(ids.map(|id| Log { id }.set(&id.to_string())).collect::<Vec<_>>()).expect("the batch succeeds");
}

#[test]
fn reads_and_writes_of_one_key_keep_their_order() {
    on_a_cluster(|con| {
        fill(con, 100..400);
        let commands = |id| {
            let log = Log { id };
            (log.get(), log.append("a"), log.get(), (log.append("b"), log.get(), Log { id: id + 100 }.get()))
        };
        let found = con.batch((0..100).map(commands).collect::<Vec<_>>()).expect("the batch succeeds");
        for (id, (before, _, first, (_, second, other))) in (0..100).zip(found) {
            assert_eq!((before, first, second), (None, Some("a".to_owned()), Some("ab".to_owned())));
            assert_eq!(other, text(id + 100));
        }
        // Two commands of the batch read the same key.
        let twice = con.batch((100..300).map(|id| [Log { id }.get(), Log { id: id + 1 }.get()]).collect::<Vec<_>>());
        assert_eq!(
            twice.expect("the batch succeeds"),
            (100..300).map(|id| [text(id), text(id + 1)]).collect::<Vec<_>>()
        );
    });
}

#[test]
fn each_read_reports_its_own_error() {
    on_a_cluster(|con| {
        fill(con, 0..300);
        let wrong = [7, 150, 151];
        for id in wrong {
            let key = Log { id }.key().expect("the key is valid");
            let _: i64 = con.raw(&["DEL", &key]);
            let _: i64 = con.raw(&["LPUSH", &key, "x"]);
            let _: i64 = con.raw(&["EXPIRE", &key, "100"]);
        }
        let found: Vec<Result<_, Error>> = con.batch_each((0..300).map(|id| Log { id }.get()).collect::<Vec<_>>());
        for (id, found) in (0..300).zip(found) {
            if wrong.contains(&id) {
                let error = found.expect_err("the key is a list");
                let key = Log { id }.key().expect("the key is valid");
                assert_eq!((error.kind(), error.key()), (ErrorKind::WrongType, Some(&*key)));
                assert!(error.to_string().contains("list"), "{error}");
            } else {
                assert_eq!(found.expect("the value is text"), text(id));
            }
        }
    });
}

#[test]
fn reads_succeed_while_a_slot_is_half_migrated() {
    let cluster = shared_cluster();
    for protocol in [ProtocolVersion::RESP2, ProtocolVersion::RESP3] {
        let mut con = Con::async_cluster(&cluster, protocol);
        fill(&mut con, 0..300);
        let tagged = |id| TaggedLog { tag: 7, id };
        con.batch((0..100).map(|id| tagged(id).set("0")).collect::<Vec<_>>()).expect("the batch succeeds");
        let mut slot = MovingSlot::open(&cluster, &tagged(0).key().expect("the key is valid"));
        for id in (0..100).step_by(2) {
            slot.send(&tagged(id).key().expect("the key is valid"));
        }
        for round in 1..=3_usize {
            let reads = (0..300).map(|id| Log { id }.get()).collect::<Vec<_>>();
            let moving = (0..150).map(|id| tagged(id).get()).collect::<Vec<_>>();
            let writes =
                (0..50).map(|id| (tagged(id).append("+"), Log { id: 1_000 + id }.append("+"))).collect::<Vec<_>>();
            let (reads, moving, writes) = con.batch((reads, moving, writes)).expect("redirects are followed");
            assert_eq!(reads, (0..300).map(text).collect::<Vec<_>>());
            let pluses = "+".repeat(round - 1);
            let before = |id| match id {
                0..50 => Some(format!("0{pluses}")),
                50..100 => Some("0".to_owned()),
                _ => None,
            };
            assert_eq!(moving, (0..150).map(before).collect::<Vec<_>>(), "in round {round}");
            for (tagged, other) in writes {
                assert_eq!((tagged, other), (round as u64 + 1, round as u64), "in round {round}");
            }
        }
        slot.finish(&cluster);
        con.assert_all_expire();
        let _: String = con.raw(&["FLUSHALL"]);
    }
}

/// Returns the number of GETs that a node has executed.
fn gets(node: &ClusterNode) -> u64 {
    let info = Con::blocking(&node.url()).info("commandstats");
    let calls = info.lines().find_map(|line| line.strip_prefix("cmdstat_get:calls="));
    calls.and_then(|calls| calls.split(',').next()?.parse().ok()).unwrap_or(0)
}

fn knows_all_replicas(node: &ClusterNode) -> bool {
    let ranges: Vec<Vec<redis::Value>> = Con::blocking(&node.url()).raw(&["CLUSTER", "SLOTS"]);
    // A range has two slots, a primary and a replica.
    ranges.iter().all(|range| range.len() == 4)
}

#[test]
fn replicas_serve_reads_if_the_connection_allows_it() {
    let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
    fill(&mut Con::blocking_cluster(&cluster, ProtocolVersion::RESP2), 0..300);
    let nodes = cluster.nodes().expect("the cluster replies");
    let size = |node: &ClusterNode| Con::blocking(&node.url()).raw::<u64>(&["DBSIZE"]);
    wait_until("the replicas are in sync", || nodes.iter().map(size).sum::<u64>() == 600);
    wait_until("every node knows all replicas", || nodes.iter().all(knows_all_replicas));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let by_replicas = || nodes.iter().filter(|node| !node.is_primary()).map(gets).sum::<u64>();
    for (builder, expected) in [
        (ClusterClient::builder(cluster.urls()), 0),
        (ClusterClient::builder(cluster.urls()).read_routing_strategy(RandomReplicaStrategy), 300),
    ] {
        let client = builder.build().expect("the addresses are valid");
        let found = runtime.block_on(async {
            let mut con = client.get_async_connection().await.expect("the cluster replies");
            batch_iter((0..300).map(|id| Log { id }.get())).query_async(&mut con).await
        });
        assert_eq!(found.expect("the batch succeeds"), (0..300).map(text).collect::<Vec<_>>());
        assert_eq!(by_replicas(), expected);
    }
}

/// Reads in one task while another one writes on the same connection.
async fn read_while_writing(con: &ClusterConnection) {
    let (mut reading, mut writing) = (con.clone(), con.clone());
    let reads = async {
        for _ in 0..5 {
            let found = batch_iter((0..2_000).map(|id| Log { id: id % 300 }.get())).query_async(&mut reading).await;
            assert_eq!(found.expect("the batch succeeds"), (0..2_000).map(|id| text(id % 300)).collect::<Vec<_>>());
        }
    };
    let writes = async {
        for _ in 0..5 {
            let counts = (0..300).map(|id| Count { id }.incr()).collect::<Vec<_>>();
            let logs = (0..300).map(|id| Log { id: 1_000 + id }.set("x")).collect::<Vec<_>>();
            batch((counts, logs)).query_async(&mut writing).await.expect("the batch succeeds");
        }
    };
    tokio::join!(reads, writes);
}

#[test]
fn two_tasks_share_a_cluster_connection() {
    let cluster = shared_cluster();
    fill(&mut Con::blocking_cluster(&cluster, ProtocolVersion::RESP2), 0..300);
    let client = ClusterClient::new(cluster.urls()).expect("the addresses are valid");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        for _ in 0..20 {
            let con = client.get_async_connection().await.expect("the cluster replies");
            let done = tokio::time::timeout(Duration::from_secs(60), read_while_writing(&con)).await;
            done.expect("it does not deadlock");
        }
    });
    let mut con = Con::blocking_cluster(&cluster, ProtocolVersion::RESP2);
    assert_eq!(con.ok(Count { id: 0 }.get()), Some(100));
    con.assert_all_expire();
}

/// redis-rs sends many commands at the same time, and refreshes its slots in between.
#[test]
fn large_batches_do_not_deadlock_while_a_slot_migrates() {
    let cluster = shared_cluster();
    fill(&mut Con::blocking_cluster(&cluster, ProtocolVersion::RESP2), 0..300);
    let key = Log { id: 0 }.key().expect("the key is valid");
    let mut slot = MovingSlot::open(&cluster, &key);
    slot.send(&key);
    let client = ClusterClient::new(cluster.urls()).expect("the addresses are valid");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime starts");
    runtime.block_on(async {
        for _ in 0..5 {
            let mut con = client.get_async_connection().await.expect("the cluster replies");
            let batches = async {
                for _ in 0..5 {
                    let reads = (0..2_000).map(|id| Log { id: id % 300 }.get()).collect::<Vec<_>>();
                    let counts = (0..300).map(|id| Count { id }.incr()).collect::<Vec<_>>();
                    let logs = (0..300).map(|id| Log { id: 1_000 + id }.set("x")).collect::<Vec<_>>();
                    let (reads, ..) =
                        batch((reads, counts, logs)).query_async(&mut con).await.expect("the batch succeeds");
                    assert_eq!(reads, (0..2_000).map(|id| text(id % 300)).collect::<Vec<_>>());
                }
            };
            let done = tokio::time::timeout(Duration::from_secs(60), batches).await;
            done.expect("it does not deadlock");
        }
    });
    slot.finish(&cluster);
    let mut con = Con::blocking_cluster(&cluster, ProtocolVersion::RESP2);
    assert_eq!(con.ok(Count { id: 0 }.get()), Some(25));
    con.assert_all_expire();
}
