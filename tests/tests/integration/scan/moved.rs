//! Keys that stay are found, whatever becomes of their nodes meanwhile.

use std::collections::BTreeSet;

use redis::ProtocolVersion;
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, ClusterNode};
use redis_keys::{Error, ErrorKind, Sent};
use redis_keys_tests::{Con, MovingSlot, fail_over, join, wait_until};

const KEYS: u32 = 600;

#[derive(RedisKey)]
#[redis_key(scan:stays:{id}:string, value = u32, ttl = 1h)]
struct Stays {
    id: u32,
}

type Connect = fn(&Cluster, ProtocolVersion) -> Con;

const BOTH: [Connect; 2] = [Con::blocking_cluster, Con::async_cluster];

/// Writes the keys.
fn fill(con: &mut Con) {
    con.batch((0..KEYS).map(|id| Stays { id }.set(&id)).collect::<Vec<_>>()).expect("the batch succeeds");
}

/// The primaries with the keys that they have.
fn primaries(cluster: &Cluster) -> Vec<(ClusterNode, BTreeSet<u32>)> {
    let nodes = cluster.nodes().expect("the cluster replies").into_iter().filter(ClusterNode::is_primary);
    let with_keys = nodes.map(|node| {
        let keys: Vec<String> = Con::blocking(&node.url()).raw(&["KEYS", "scan:stays:*"]);
        (node, keys.iter().map(|key| Stays::parse(key).expect("it is a node of the cluster").id).collect())
    });
    with_keys.collect()
}

/// A scan that has come to its second node when something happens.
struct Half<'c> {
    cluster: &'c mut Cluster,
    connect: Connect,
}

/// What has happened by then.
struct Sofar {
    /// All of whose keys have been given.
    done: ClusterNode,
    /// Of whose keys at least one has, and at most a page.
    begun: (ClusterNode, BTreeSet<u32>),
    /// Of whose keys none has.
    rest: (ClusterNode, BTreeSet<u32>),
}

impl Half<'_> {
    /// Lets it happen. Gives what is found, and the error.
    fn scan(self, happens: impl FnOnce(&mut Cluster, Sofar)) -> (BTreeSet<u32>, Option<Error>) {
        let mut con = (self.connect)(self.cluster, ProtocolVersion::RESP3);
        fill(&mut con);
        let (mut found, mut happens, mut error) = (BTreeSet::new(), Some(happens), None);
        let mut nodes = primaries(self.cluster);
        nodes.retain(|(_, keys)| !keys.is_empty());
        assert_eq!(nodes.len(), 3);
        con.each_result(Stays::scan().count(10), |key| {
            let id = match key {
                Ok(key) => key.id,
                Err(failed) => return error = Some(failed),
            };
            found.insert(id);
            let of = |id: u32| nodes.iter().position(|(_, keys)| keys.contains(&id));
            let begun: BTreeSet<_> = found.iter().filter_map(|id| of(*id)).collect();
            if begun.len() == 2
                && let Some(happens) = happens.take()
            {
                let begun = nodes.remove(of(id).expect("a node has the key"));
                let done = nodes.iter().position(|(_, keys)| keys.is_subset(&found)).expect("one node is scanned");
                let (done, _) = nodes.remove(done);
                happens(self.cluster, Sofar { done, begun, rest: nodes.remove(0) });
                nodes.clear();
            }
        });
        assert!(happens.is_none(), "the event happened");
        (found, error)
    }

    /// The same, where all have to be found.
    #[track_caller]
    fn finds_all(self, happens: impl FnOnce(&mut Cluster, Sofar)) {
        let (found, error) = self.scan(happens);
        assert!(error.is_none(), "{error:?}");
        assert_eq!(missing(&found), Vec::<u32>::new());
    }

    /// The same, where it can also end with an error.
    #[track_caller]
    fn misses_nothing_silently(self, happens: impl FnOnce(&mut Cluster, Sofar)) {
        let (found, error) = self.scan(happens);
        match error {
            Some(error) => {
                println!("{error}");
                assert!(
                    [ErrorKind::Connection, ErrorKind::Contended, ErrorKind::Server].contains(&error.kind()),
                    "{error}"
                );
                assert_ne!(error.sent(), Sent::No, "{error}");
            }
            None => assert_eq!(missing(&found), Vec::<u32>::new()),
        }
    }
}

fn missing(found: &BTreeSet<u32>) -> Vec<u32> {
    (0..KEYS).filter(|id| !found.contains(id)).collect()
}

fn name(id: u32) -> String {
    Stays { id }.key().expect("the key is valid").into()
}

/// Some of the keys, on both sides of wherever a scan may have come.
fn some(keys: &BTreeSet<u32>) -> impl Iterator<Item = String> {
    keys.iter().step_by(keys.len() / 4).map(|id| name(*id))
}

/// The replica of a node, once it has all that the node has.
fn copied(cluster: &Cluster, node: &ClusterNode) -> ClusterNode {
    let nodes = cluster.nodes().expect("the cluster replies");
    let replica = nodes.into_iter().find(|one| one.is_replica_of(node)).expect("it has one");
    let count = |node: &ClusterNode| Con::blocking(&node.url()).raw::<u64>(&["DBSIZE"]);
    wait_until("the replica is in sync", || count(&replica) == count(node));
    replica
}

#[test]
fn keys_are_found_while_replicas_take_over() {
    for connect in BOTH {
        // Nobody votes twice within half a minute for replicas of one primary.
        let mut cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        for how in [None, Some("TAKEOVER")] {
            Half { cluster: &mut cluster, connect }.finds_all(|cluster, sofar| {
                for (node, keys) in [sofar.begun, sofar.rest] {
                    let replica = copied(cluster, &node);
                    let key = name(*keys.first().expect("the node has keys"));
                    assert_eq!(fail_over(cluster, &key, how).id(), replica.id());
                }
            });
        }
    }
}

#[test]
fn keys_are_found_when_slots_move_to_a_scanned_node() {
    let mut cluster = Cluster::start().expect("a cluster starts");
    for connect in BOTH {
        Half { cluster: &mut cluster, connect }.finds_all(|cluster, sofar| {
            for key in some(&sofar.begun.1).chain(some(&sofar.rest.1)) {
                MovingSlot::open_to(cluster, &key, sofar.done.clone()).finish(cluster);
            }
        });
    }
}

/// Half of a node's slots at once, in the way that newer servers have for that. A node that has none left would become a replica,
/// which has all keys.
#[test]
fn keys_are_found_when_slot_ranges_move() {
    let moves = |node: &ClusterNode, words: &[&str]| {
        let mut con = redis::Client::open(node.url())?.get_connection()?;
        redis::cmd("CLUSTER").arg("MIGRATESLOTS").arg(words).exec(&mut con)
    };
    for connect in BOTH {
        let mut cluster = Cluster::start().expect("a cluster starts");
        let node = cluster.primary_of("any").expect("the cluster is whole");
        if moves(&node, &[]).is_err_and(|error| error.to_string().to_lowercase().contains("unknown subcommand")) {
            // Valkey 9 is the first.
            return;
        }
        Half { cluster: &mut cluster, connect }.finds_all(|cluster, Sofar { done, begun, rest }| {
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
    for connect in BOTH {
        let mut open = Vec::new();
        Half { cluster: &mut cluster, connect }.finds_all(|cluster, sofar| {
            for key in some(&sofar.rest.1) {
                let mut slot = MovingSlot::open_to(cluster, &key, sofar.done.clone());
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
    for connect in BOTH {
        let mut cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        Half { cluster: &mut cluster, connect }.finds_all(|cluster, sofar| {
            let joined = join(cluster);
            for key in some(&sofar.begun.1).chain(some(&sofar.rest.1)) {
                MovingSlot::open_to(cluster, &key, joined.clone()).finish(cluster);
            }
        });
    }
}

/// Nobody names a node that serves nothing yet.
#[test]
fn a_slot_migrating_to_a_node_without_slots_is_an_error() {
    for connect in BOTH {
        let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        fill(&mut connect(&cluster, ProtocolVersion::RESP3));
        let mut slot = MovingSlot::open_to(&cluster, &name(0), join(&cluster));
        slot.send(&name(0));
        let mut con = connect(&cluster, ProtocolVersion::RESP3);
        let error = con.scan_keys(Stays::scan()).err().expect("a key is missing");
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Contended, Sent::Yes), "{error}");
        slot.finish(&cluster);
        let found = con.scan_keys(Stays::scan()).expect("the slot is closed");
        assert_eq!(missing(&found.into_iter().map(|key| key.id).collect()), Vec::<u32>::new());
    }
}

#[test]
fn keys_are_found_after_a_primary_is_replaced() {
    for connect in BOTH {
        let mut cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        Half { cluster: &mut cluster, connect }.finds_all(|cluster, sofar| {
            let replica = copied(cluster, &sofar.rest.0);
            cluster.kill(sofar.rest.0.port()).expect("the node exists");
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

/// Without addresses a connection is all that knows where the nodes are.
mod without_addresses {
    use super::*;

    /// A cluster whose nodes do not announce their addresses; `None` if the server cannot be configured so.
    fn start() -> Option<Cluster> {
        let cluster = Cluster::start_with_replicas(1).expect("a cluster starts");
        for url in cluster.urls() {
            let mut node = Con::blocking(&url);
            let known: Vec<String> = node.raw(&["CONFIG", "GET", "cluster-preferred-endpoint-type"]);
            if known.is_empty() {
                // Redis 7 is the first.
                return None;
            }
            let _: String = node.raw(&["CONFIG", "SET", "cluster-preferred-endpoint-type", "unknown-endpoint"]);
        }
        Some(cluster)
    }

    #[test]
    fn every_primary_is_scanned() {
        let Some(cluster) = start() else { return };
        for connect in BOTH {
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
        for connect in BOTH {
            Half { cluster: &mut cluster, connect }.finds_all(|cluster, sofar| {
                for key in some(&sofar.begun.1).chain(some(&sofar.rest.1)) {
                    MovingSlot::open_to(cluster, &key, sofar.done.clone()).finish(cluster);
                }
            });
        }
    }

    #[test]
    fn keys_are_found_while_replicas_take_over() {
        let Some(mut cluster) = start() else { return };
        for connect in BOTH {
            Half { cluster: &mut cluster, connect }.misses_nothing_silently(|cluster, sofar| {
                for (node, keys) in [sofar.begun, sofar.rest] {
                    copied(cluster, &node);
                    fail_over(cluster, &name(*keys.first().expect("the node has keys")), Some("TAKEOVER"));
                }
            });
        }
    }

    #[test]
    fn keys_are_found_on_a_node_that_joins() {
        for connect in BOTH {
            let Some(mut cluster) = start() else { return };
            Half { cluster: &mut cluster, connect }.misses_nothing_silently(|cluster, sofar| {
                let joined = join(cluster);
                for key in some(&sofar.begun.1).chain(some(&sofar.rest.1)) {
                    MovingSlot::open_to(cluster, &key, joined.clone()).finish(cluster);
                }
            });
        }
    }
}
