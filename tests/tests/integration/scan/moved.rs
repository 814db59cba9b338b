//! Scans of a cluster that changes in the meantime.

use std::collections::BTreeSet;

use redis::ProtocolVersion;
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, ClusterNode};
use redis_keys::{Error, ErrorKind, SendStatus};
use redis_keys_tests::{Con, MovingSlot, fail_over, join, wait_until};

const KEYS: u32 = 600;

#[derive(RedisKey)]
#[redis_key(scan:stays:{id}:string, value = u32, ttl = 1h)]
struct Stays {
    id: u32,
}

type Connect = fn(&Cluster, ProtocolVersion) -> Con;

const EACH: [Connect; 3] = [Con::blocking_cluster, Con::async_cluster, Con::nodes];

/// Writes the keys.
fn fill(con: &mut Con) {
    con.batch((0..KEYS).map(|id| Stays { id }.set(&id)).collect::<Vec<_>>()).expect("the batch succeeds");
}

/// Returns the primaries with their keys.
fn primaries(cluster: &Cluster) -> Vec<(ClusterNode, BTreeSet<u32>)> {
    let nodes = cluster.nodes().expect("the cluster replies").into_iter().filter(ClusterNode::is_primary);
    let with_keys = nodes.map(|node| {
        let keys: Vec<String> = Con::blocking(&node.url()).raw(&["KEYS", "scan:stays:*"]);
        (node, keys.iter().map(|key| Stays::parse(key).expect("it is a node of the cluster").id).collect())
    });
    with_keys.collect()
}

/// A scan during which the cluster changes, when the scan has reached its second node.
struct InterruptedScan<'c> {
    cluster: &'c mut Cluster,
    connect: Connect,
}

/// The progress of a scan.
struct Progress {
    /// A node of which all keys were returned.
    done: ClusterNode,
    /// A node of which some keys were returned, at most a page.
    begun: (ClusterNode, BTreeSet<u32>),
    /// A node of which no key was returned.
    rest: (ClusterNode, BTreeSet<u32>),
}

impl InterruptedScan<'_> {
    /// Runs the scan and the change. Returns the keys that are found, and the error.
    fn scan(self, change: impl FnOnce(&mut Cluster, Progress)) -> (BTreeSet<u32>, Option<Error>) {
        let mut con = (self.connect)(self.cluster, ProtocolVersion::RESP3);
        fill(&mut con);
        let (mut found, mut change, mut error) = (BTreeSet::new(), Some(change), None);
        let mut nodes = primaries(self.cluster);
        nodes.retain(|(_, keys)| !keys.is_empty());
        assert_eq!(nodes.len(), 3);
        con.each_result(Stays::scan().with_count(10), |key| {
            let id = match key {
                Ok(key) => key.id,
                Err(failed) => return error = Some(failed),
            };
            found.insert(id);
            let node_of = |id: u32| nodes.iter().position(|(_, keys)| keys.contains(&id));
            let begun: BTreeSet<_> = found.iter().filter_map(|id| node_of(*id)).collect();
            if begun.len() == 2
                && let Some(change) = change.take()
            {
                let begun = nodes.remove(node_of(id).expect("a node has the key"));
                let done = nodes.iter().position(|(_, keys)| keys.is_subset(&found)).expect("one node is scanned");
                let (done, _) = nodes.remove(done);
                change(self.cluster, Progress { done, begun, rest: nodes.remove(0) });
                nodes.clear();
            }
        });
        assert!(change.is_none(), "the cluster changed");
        (found, error)
    }

    /// Asserts that the scan finds every key.
    #[track_caller]
    fn finds_all(self, change: impl FnOnce(&mut Cluster, Progress)) {
        let (found, error) = self.scan(change);
        assert!(error.is_none(), "{error:?}");
        assert_eq!(missing(&found), Vec::<u32>::new());
    }

    /// Asserts that the scan finds every key or ends with an error.
    #[track_caller]
    fn finds_all_or_fails(self, change: impl FnOnce(&mut Cluster, Progress)) {
        let (found, error) = self.scan(change);
        match error {
            Some(error) => {
                println!("{error}");
                assert!(
                    [ErrorKind::Connection, ErrorKind::Contended, ErrorKind::Server].contains(&error.kind()),
                    "{error}"
                );
                assert_ne!(error.sent(), SendStatus::No, "{error}");
            }
            None => assert_eq!(missing(&found), Vec::<u32>::new()),
        }
    }
}

fn missing(found: &BTreeSet<u32>) -> Vec<u32> {
    (0..KEYS).filter(|id| !found.contains(id)).collect()
}

fn key(id: u32) -> String {
    Stays { id }.key().expect("the key is valid").into()
}

/// Returns some of the keys, before and after the position of a scan.
fn sample(keys: &BTreeSet<u32>) -> impl Iterator<Item = String> {
    keys.iter().step_by(keys.len() / 4).map(|id| key(*id))
}

/// Waits until the replica of a node is in sync, and returns it.
fn synced_replica(cluster: &Cluster, node: &ClusterNode) -> ClusterNode {
    let nodes = cluster.nodes().expect("the cluster replies");
    let replica = nodes.into_iter().find(|other| other.is_replica_of(node)).expect("the node has a replica");
    let count = |node: &ClusterNode| Con::blocking(&node.url()).raw::<u64>(&["DBSIZE"]);
    wait_until("the replica is in sync", || count(&replica) == count(node));
    replica
}

#[test]
fn keys_are_found_while_replicas_take_over() {
    for connect in EACH {
        // Primaries vote only once in half a minute for replicas of the same primary.
        let mut cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        for option in [None, Some("TAKEOVER")] {
            InterruptedScan { cluster: &mut cluster, connect }.finds_all(|cluster, progress| {
                for (node, keys) in [progress.begun, progress.rest] {
                    let replica = synced_replica(cluster, &node);
                    let key = key(*keys.first().expect("the node has keys"));
                    assert_eq!(fail_over(cluster, &key, option).id(), replica.id());
                }
            });
        }
    }
}

#[test]
fn keys_are_found_when_slots_move_to_a_scanned_node() {
    let mut cluster = Cluster::start().expect("a cluster starts");
    for connect in EACH {
        InterruptedScan { cluster: &mut cluster, connect }.finds_all(|cluster, progress| {
            for key in sample(&progress.begun.1).chain(sample(&progress.rest.1)) {
                MovingSlot::open_to(cluster, &key, progress.done.clone()).finish(cluster);
            }
        });
    }
}

/// CLUSTER MIGRATESLOTS, for half of the slots of a node. A node without slots would become a replica, which has all
/// keys.
#[test]
fn keys_are_found_when_slot_ranges_move() {
    let moves = |node: &ClusterNode, words: &[&str]| {
        let mut con = redis::Client::open(node.url())?.get_connection()?;
        redis::cmd("CLUSTER").arg("MIGRATESLOTS").arg(words).exec(&mut con)
    };
    for connect in EACH {
        let mut cluster = Cluster::start().expect("a cluster starts");
        let node = cluster.primary_of("any").expect("the cluster is whole");
        if moves(&node, &[]).is_err_and(|error| error.to_string().to_lowercase().contains("unknown subcommand")) {
            // Before Valkey 9.
            return;
        }
        InterruptedScan { cluster: &mut cluster, connect }.finds_all(|cluster, Progress { done, begun, rest }| {
            for (node, _) in [begun, rest] {
                let slots: Vec<u16> = (0..16_384).filter(|slot| node.serves(*slot)).collect();
                let (from, to) = (slots[0], slots[slots.len() / 2]);
                let words = ["SLOTSRANGE", &from.to_string(), &to.to_string(), "NODE", done.id()];
                moves(&node, &words).expect("the command succeeds");
                let served = |node: &ClusterNode| node.id() == done.id() && node.serves(from);
                wait_until("the slots have moved", || cluster.nodes().is_ok_and(|nodes| nodes.iter().any(served)));
                cluster.wait_until_whole().expect("the nodes agree");
            }
        });
    }
}

#[test]
fn keys_are_found_in_half_migrated_slots() {
    let mut cluster = Cluster::start().expect("a cluster starts");
    for connect in EACH {
        let mut open = Vec::new();
        InterruptedScan { cluster: &mut cluster, connect }.finds_all(|cluster, progress| {
            for key in sample(&progress.rest.1) {
                let mut slot = MovingSlot::open_to(cluster, &key, progress.done.clone());
                slot.send(&key);
                open.push(slot);
            }
        });
        for slot in open {
            slot.finish(&cluster);
        }
    }
}

#[test]
fn keys_are_found_on_a_node_that_joins() {
    for connect in EACH {
        let mut cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        InterruptedScan { cluster: &mut cluster, connect }.finds_all(|cluster, progress| {
            let joined = join(cluster);
            for key in sample(&progress.begun.1).chain(sample(&progress.rest.1)) {
                MovingSlot::open_to(cluster, &key, joined.clone()).finish(cluster);
            }
        });
    }
}

/// Other nodes do not list a node without slots.
#[test]
fn a_slot_migrating_to_a_node_without_slots_is_an_error() {
    for connect in EACH {
        let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        fill(&mut connect(&cluster, ProtocolVersion::RESP3));
        let mut slot = MovingSlot::open_to(&cluster, &key(0), join(&cluster));
        slot.send(&key(0));
        let mut con = connect(&cluster, ProtocolVersion::RESP3);
        let error = con.scan_keys(Stays::scan()).err().expect("a key is missing");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Contended, SendStatus::Yes), "{error}");
        slot.finish(&cluster);
        let found = con.scan_keys(Stays::scan()).expect("the slot is closed");
        assert_eq!(missing(&found.into_iter().map(|key| key.id).collect()), Vec::<u32>::new());
    }
}

#[test]
fn keys_are_found_after_a_primary_is_replaced() {
    for connect in EACH {
        let mut cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        InterruptedScan { cluster: &mut cluster, connect }.finds_all(|cluster, progress| {
            let replica = synced_replica(cluster, &progress.rest.0);
            cluster.kill(progress.rest.0.port()).expect("the node exists");
            cluster.wait_until_whole().expect("the replica takes over");
            assert!(
                cluster
                    .nodes()
                    .expect("the cluster replies")
                    .iter()
                    .any(|node| node.id() == replica.id() && node.is_primary())
            );
        });
    }
}

/// Clusters whose nodes do not announce their addresses, so that only the connection knows them.
mod without_addresses {
    use super::*;

    /// A cluster whose nodes do not announce their addresses; `None` if the server cannot be configured so.
    fn start() -> Option<Cluster> {
        let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        for url in cluster.urls() {
            let mut node = Con::blocking(&url);
            let known: Vec<String> = node.raw(&["CONFIG", "GET", "cluster-preferred-endpoint-type"]);
            if known.is_empty() {
                // Before Redis 7.
                return None;
            }
            let _: String = node.raw(&["CONFIG", "SET", "cluster-preferred-endpoint-type", "unknown-endpoint"]);
        }
        Some(cluster)
    }

    #[test]
    fn every_primary_is_scanned() {
        let Some(cluster) = start() else { return };
        for connect in EACH {
            for protocol in [ProtocolVersion::RESP2, ProtocolVersion::RESP3] {
                let mut con = connect(&cluster, protocol);
                fill(&mut con);
                let slots = format!("{:?}", con.raw::<redis::Value>(&["CLUSTER", "SLOTS"]));
                assert!(slots.contains("[nil, int("), "{slots}");
                let mut found: Vec<_> =
                    con.scan_keys(Stays::scan()).expect("the server replies").into_iter().map(|key| key.id).collect();
                found.sort_unstable();
                assert_eq!(found, (0..KEYS).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn keys_are_found_when_slots_move_to_a_scanned_node() {
        let Some(mut cluster) = start() else { return };
        for connect in EACH {
            InterruptedScan { cluster: &mut cluster, connect }.finds_all(|cluster, progress| {
                for key in sample(&progress.begun.1).chain(sample(&progress.rest.1)) {
                    MovingSlot::open_to(cluster, &key, progress.done.clone()).finish(cluster);
                }
            });
        }
    }

    #[test]
    fn keys_are_found_while_replicas_take_over() {
        let Some(mut cluster) = start() else { return };
        for connect in EACH {
            InterruptedScan { cluster: &mut cluster, connect }.finds_all_or_fails(|cluster, progress| {
                for (node, keys) in [progress.begun, progress.rest] {
                    synced_replica(cluster, &node);
                    fail_over(cluster, &key(*keys.first().expect("the node has keys")), Some("TAKEOVER"));
                }
            });
        }
    }

    #[test]
    fn keys_are_found_on_a_node_that_joins() {
        for connect in EACH {
            let Some(mut cluster) = start() else { return };
            InterruptedScan { cluster: &mut cluster, connect }.finds_all_or_fails(|cluster, progress| {
                let joined = join(cluster);
                for key in sample(&progress.begun.1).chain(sample(&progress.rest.1)) {
                    MovingSlot::open_to(cluster, &key, joined.clone()).finish(cluster);
                }
            });
        }
    }
}
