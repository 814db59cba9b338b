//! What happens to clusters: slots move, and primaries change.

use redis::{Client, Connection, FromRedisValue};
use redis_keys::testing::{Cluster, ClusterNode};

use crate::wait_until;

/// A slot on its way to another node, held open with some of its keys here and some there. The nodes answer ASK for those that
/// have gone, and TRYAGAIN to commands on several keys of which only some have.
pub struct MovingSlot {
    slot: u16,
    from: (ClusterNode, Connection),
    to: (ClusterNode, Connection),
}

impl MovingSlot {
    /// Opens the slot of a key, without moving anything.
    pub fn open(cluster: &Cluster, key: &str) -> Self {
        let from = cluster.primary_of(key).expect("the cluster is whole");
        let mut nodes = cluster.nodes().expect("the cluster replies").into_iter();
        let to = nodes.find(|node| node.is_primary() && *node != from).expect("there are several primaries");
        Self::open_to(cluster, key, to)
    }

    /// The same with the node to which it goes.
    pub fn open_to(cluster: &Cluster, key: &str, to: ClusterNode) -> Self {
        let from = cluster.primary_of(key).expect("the cluster is whole");
        let (mut from_con, mut to_con) = (plain(&from), plain(&to));
        let slot: u16 = ask(&mut from_con, &["CLUSTER", "KEYSLOT", key]);
        // In this order nobody is ever sent to a node that does not know of it yet.
        let _: String = ask(&mut to_con, &["CLUSTER", "SETSLOT", &slot.to_string(), "IMPORTING", from.id()]);
        let _: String = ask(&mut from_con, &["CLUSTER", "SETSLOT", &slot.to_string(), "MIGRATING", to.id()]);
        Self { slot, from: (from, from_con), to: (to, to_con) }
    }

    /// The slot.
    pub fn slot(&self) -> u16 {
        self.slot
    }

    /// Where it comes from, and where it goes to.
    pub fn ends(&self) -> [&ClusterNode; 2] {
        [&self.from.0, &self.to.0]
    }

    /// Moves a key.
    pub fn send(&mut self, key: &str) {
        assert_eq!(self.migrate(key), "OK", "{key} is not in slot {} of the one node", self.slot);
    }

    /// `NOKEY` when there is nothing to be moved.
    fn migrate(&mut self, key: &str) -> String {
        let port = self.to.0.port().to_string();
        ask(&mut self.from.1, &["MIGRATE", "127.0.0.1", &port, key, "0", "5000"])
    }

    /// Moves the keys that are left, and closes the slot.
    pub fn finish(mut self, cluster: &Cluster) {
        let slot = self.slot.to_string();
        loop {
            let keys: Vec<String> = ask(&mut self.from.1, &["CLUSTER", "GETKEYSINSLOT", &slot, "100"]);
            if keys.is_empty() {
                break;
            }
            for key in &keys {
                // It may have been removed meanwhile.
                self.migrate(key);
            }
        }
        for con in [&mut self.to.1, &mut self.from.1] {
            let _: String = ask(con, &["CLUSTER", "SETSLOT", &slot, "NODE", self.to.0.id()]);
        }
        cluster.wait_until_whole().expect("the nodes agree");
    }
}

/// Lets a replica take the place of the primary that serves a key, as an administrator does: CLUSTER FAILOVER, by which
/// nothing is lost, or with `FORCE` or `TAKEOVER` behind it. Gives the new primary.
pub fn fail_over(cluster: &Cluster, key: &str, how: Option<&str>) -> ClusterNode {
    let primary = cluster.primary_of(key).expect("the cluster is whole");
    let nodes = cluster.nodes().expect("the cluster replies");
    let replica = nodes.iter().find(|node| node.is_replica_of(&primary)).expect("the primary has a replica");
    let words = ["CLUSTER", "FAILOVER"].into_iter().chain(how).collect::<Vec<_>>();
    let _: String = ask(&mut plain(replica), &words);
    let serves = |node: &ClusterNode| node.id() == replica.id();
    wait_until("the replica serves the key", || cluster.primary_of(key).as_ref().is_ok_and(serves));
    cluster.wait_until_whole().expect("the nodes agree");
    cluster.primary_of(key).expect("the cluster is whole")
}

/// Lets a replica leave the cluster and join it as a primary that serves nothing yet. Gives it.
pub fn join(cluster: &Cluster) -> ClusterNode {
    let nodes = cluster.nodes().expect("the cluster replies");
    let node = nodes.iter().find(|node| !node.is_primary()).expect("the primary has a replica");
    let mut con = plain(node);
    let _: String = ask(&mut con, &["CLUSTER", "RESET", "SOFT"]);
    for other in nodes.iter().filter(|other| other.id() != node.id()) {
        let _: String = ask(&mut con, &["CLUSTER", "MEET", "127.0.0.1", &other.port().to_string()]);
    }
    let joined = || cluster.nodes().ok()?.into_iter().find(|one| one.id() == node.id() && one.is_primary());
    wait_until("the node is a primary", || joined().is_some());
    cluster.wait_until_whole().expect("the nodes agree");
    joined().expect("the node is a primary")
}

fn plain(node: &ClusterNode) -> Connection {
    Client::open(node.url()).and_then(|client| client.get_connection()).expect("the node replies")
}

fn ask<T: FromRedisValue>(con: &mut Connection, words: &[&str]) -> T {
    match redis::Cmd::new().arg(words).query(con) {
        Ok(answer) => answer,
        Err(error) => panic!("{words:?}: {error}"),
    }
}
