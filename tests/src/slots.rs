//! Changes of a cluster: slots that migrate, and primaries that are replaced.

use redis::{Client, Connection, FromRedisValue};
use redis_keys::testing::{Cluster, ClusterNode};

use crate::wait_until;

/// A slot that is migrating to another node, with some of its keys on either node. The source replies ASK for keys that
/// have moved, and TRYAGAIN to commands on several keys of which only some have moved.
pub struct MovingSlot {
    slot: u16,
    from: (ClusterNode, Connection),
    to: (ClusterNode, Connection),
}

impl MovingSlot {
    /// Starts to migrate the slot of a key to any other primary, without moving a key.
    pub fn open(cluster: &Cluster, key: &str) -> Self {
        let from = cluster.primary_of(key).expect("the cluster is whole");
        let mut nodes = cluster.nodes().expect("the cluster replies").into_iter();
        let to = nodes.find(|node| node.is_primary() && *node != from).expect("there are several primaries");
        Self::open_to(cluster, key, to)
    }

    /// Starts to migrate the slot of a key to a node, without moving a key.
    pub fn open_to(cluster: &Cluster, key: &str, to: ClusterNode) -> Self {
        let from = cluster.primary_of(key).expect("the cluster is whole");
        let (mut from_con, mut to_con) = (plain(&from), plain(&to));
        let slot: u16 = ask(&mut from_con, &["CLUSTER", "KEYSLOT", key]);
        // In this order no client is redirected to a node that does not import the slot yet.
        let _: String = ask(&mut to_con, &["CLUSTER", "SETSLOT", &slot.to_string(), "IMPORTING", from.id()]);
        let _: String = ask(&mut from_con, &["CLUSTER", "SETSLOT", &slot.to_string(), "MIGRATING", to.id()]);
        Self { slot, from: (from, from_con), to: (to, to_con) }
    }

    /// Returns the number of the slot.
    pub fn slot(&self) -> u16 {
        self.slot
    }

    /// Returns the source and the destination.
    pub fn nodes(&self) -> [&ClusterNode; 2] {
        [&self.from.0, &self.to.0]
    }

    /// Moves a key, which must exist.
    pub fn send(&mut self, key: &str) {
        assert_eq!(self.migrate(key), "OK", "{key} is not in slot {} of the source", self.slot);
    }

    /// Returns `NOKEY` if there is no such key.
    fn migrate(&mut self, key: &str) -> String {
        let port = self.to.0.port().to_string();
        ask(&mut self.from.1, &["MIGRATE", "127.0.0.1", &port, key, "0", "5000"])
    }

    /// Moves the remaining keys and ends the migration.
    pub fn finish(mut self, cluster: &Cluster) {
        let slot = self.slot.to_string();
        loop {
            let keys: Vec<String> = ask(&mut self.from.1, &["CLUSTER", "GETKEYSINSLOT", &slot, "100"]);
            if keys.is_empty() {
                break;
            }
            for key in &keys {
                // The key may have been removed in the meantime.
                self.migrate(key);
            }
        }
        for con in [&mut self.to.1, &mut self.from.1] {
            let _: String = ask(con, &["CLUSTER", "SETSLOT", &slot, "NODE", self.to.0.id()]);
        }
        cluster.wait_until_whole().expect("the nodes agree");
    }
}

/// Promotes a replica of the primary that serves a key with CLUSTER FAILOVER, which loses nothing, or with its option
/// `FORCE` or `TAKEOVER`. Returns the new primary.
pub fn fail_over(cluster: &Cluster, key: &str, option: Option<&str>) -> ClusterNode {
    let primary = cluster.primary_of(key).expect("the cluster is whole");
    let nodes = cluster.nodes().expect("the cluster replies");
    let replica = nodes.iter().find(|node| node.is_replica_of(&primary)).expect("the primary has a replica");
    let words = ["CLUSTER", "FAILOVER"].into_iter().chain(option).collect::<Vec<_>>();
    let _: String = ask(&mut plain(replica), &words);
    let serves = |node: &ClusterNode| node.id() == replica.id();
    wait_until("the replica serves the key", || cluster.primary_of(key).as_ref().is_ok_and(serves));
    cluster.wait_until_whole().expect("the nodes agree");
    cluster.primary_of(key).expect("the cluster is whole")
}

/// Makes a replica leave the cluster and join it again as a primary without slots. Returns it.
pub fn join(cluster: &Cluster) -> ClusterNode {
    let nodes = cluster.nodes().expect("the cluster replies");
    let node = nodes.iter().find(|node| !node.is_primary()).expect("the primary has a replica");
    let mut con = plain(node);
    let _: String = ask(&mut con, &["CLUSTER", "RESET", "SOFT"]);
    for other in nodes.iter().filter(|other| other.id() != node.id()) {
        let _: String = ask(&mut con, &["CLUSTER", "MEET", "127.0.0.1", &other.port().to_string()]);
    }
    let joined = || cluster.nodes().ok()?.into_iter().find(|other| other.id() == node.id() && other.is_primary());
    wait_until("the node is a primary", || joined().is_some());
    cluster.wait_until_whole().expect("the nodes agree");
    joined().expect("the node is a primary")
}

fn plain(node: &ClusterNode) -> Connection {
    Client::open(node.url()).and_then(|client| client.get_connection()).expect("the node replies")
}

fn ask<T: FromRedisValue>(con: &mut Connection, words: &[&str]) -> T {
    match redis::Cmd::new().arg(words).query(con) {
        Ok(reply) => reply,
        Err(error) => panic!("{words:?}: {error}"),
    }
}
