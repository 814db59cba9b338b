//! Moving slots between the primaries of a cluster, one after the other without a pause, and cutting connections.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

use redis::{Client, Connection, FromRedisValue};
use redis_keys::testing::{Cluster, ClusterNode};
use tokio::sync::RwLock;

use crate::wait_until;

/// Moves the slots of these keys between the primaries as long as `continues`, and returns the number of moves.
pub fn move_slots(cluster: Cluster, keys: &[String], seed: u64, mut continues: impl FnMut() -> bool) -> u64 {
    let mut mover = Mover::new(cluster, Vec::new(), fastrand::Rng::with_seed(seed), Arc::default());
    mover.slots = keys.iter().map(|key| mover.ask(0, &["CLUSTER", "KEYSLOT", key])).collect();
    while continues() {
        mover.step(false);
    }
    mover.moved
}

/// Moves slots.
pub(super) struct Mover {
    pub(super) cluster: Cluster,
    primaries: Vec<(ClusterNode, Connection)>,
    slots: Vec<u16>,
    rng: fastrand::Rng,
    /// Users of the keys hold it for reading.
    gate: Arc<RwLock<()>>,
    pub(super) moved: u64,
    pub(super) cancelled: u64,
    pub(super) cut: u64,
}

impl Mover {
    pub(super) fn new(cluster: Cluster, slots: Vec<u16>, rng: fastrand::Rng, gate: Arc<RwLock<()>>) -> Self {
        let primaries = connect(&cluster);
        Self { cluster, primaries, slots, rng, gate, moved: 0, cancelled: 0, cut: 0 }
    }

    /// Moves a slot to another node, or cancels the move half way.
    pub(super) fn step(&mut self, may_cancel: bool) {
        let slot = self.slots[self.rng.usize(0..self.slots.len())];
        self.wait_until_agreed();
        // The primaries do not change by themselves, so that the owner is the one that says so.
        let Some(from) = (0..self.primaries.len()).find(|at| self.owns(*at, slot)) else { return };
        let to = (from + self.rng.usize(1..self.primaries.len())) % self.primaries.len();
        self.set_slot(to, slot, &["IMPORTING", &self.id(from)]);
        self.set_slot(from, slot, &["MIGRATING", &self.id(to)]);
        let keys = self.keys(from, slot);
        let cancels = may_cancel && self.rng.bool();
        for key in keys.iter().take(if cancels { keys.len() / 2 } else { keys.len() }) {
            self.migrate(from, to, key);
            sleep(Duration::from_micros(self.rng.u64(0..2_000)));
        }
        if cancels {
            self.cancel(from, to, slot);
        } else {
            self.finish(from, to, slot);
        }
    }

    fn finish(&mut self, from: usize, to: usize, slot: u16) {
        loop {
            let keys = self.keys(from, slot);
            if keys.is_empty() {
                break;
            }
            for key in &keys {
                self.migrate(from, to, key);
            }
        }
        let _: String = self.ask(to, &["CLUSTER", "BUMPEPOCH"]);
        self.wait_until_agreed();
        let id = self.id(to);
        let others = (0..self.primaries.len()).filter(|at| ![from, to].contains(at));
        for at in [to, from].into_iter().chain(others) {
            self.set_slot(at, slot, &["NODE", &id]);
        }
        self.moved += 1;
    }

    /// Waits until each primary knows the epochs of all. Otherwise an old message of a node that has given a slot away
    /// could take it from its new owner, which then deletes its keys, and two nodes could give themselves the same
    /// epoch, which they settle only later.
    fn wait_until_agreed(&mut self) {
        wait_until("the nodes agree about their epochs", || {
            let first = self.epochs(0);
            (1..self.primaries.len()).all(|at| self.epochs(at) == first)
        });
    }

    /// The identifiers and epochs of the primaries as one of them knows them.
    fn epochs(&mut self, at: usize) -> BTreeMap<String, String> {
        let nodes: String = self.ask(at, &["CLUSTER", "NODES"]);
        let nodes = nodes.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let primaries = nodes.filter(|node| node[2].contains("master") && !node[2].contains("fail"));
        primaries.map(|node| (node[0].to_owned(), node[6].to_owned())).collect()
    }

    /// Takes the keys back. Clients must not use the keys then, since for a moment they seem to be gone. So these wait.
    fn cancel(&mut self, from: usize, to: usize, slot: u16) {
        let gate = Arc::clone(&self.gate);
        let _closed = gate.blocking_write();
        self.set_slot(from, slot, &["STABLE"]);
        for key in self.keys(to, slot) {
            self.migrate(to, from, &key);
        }
        self.set_slot(to, slot, &["STABLE"]);
        self.cancelled += 1;
    }

    /// Cuts all connections of clients to a random primary, after about one step in eight.
    pub(super) fn maybe_cut(&mut self) {
        if self.rng.u8(0..8) == 0 {
            let at = self.rng.usize(0..self.primaries.len());
            let _: u64 = self.ask(at, &["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
            self.cut += 1;
        }
    }

    /// A random primary with its slots, of which all nodes know: a replica takes those over of which it knows.
    pub(super) fn any_primary(&mut self) -> ClusterNode {
        self.cluster.wait_until_whole().expect("the nodes agree about the slots");
        let at = self.rng.usize(0..self.primaries.len());
        let id = self.id(at);
        let nodes = self.cluster.nodes().expect("the cluster replies");
        nodes.into_iter().find(|node| node.id() == id).expect("it is a node of the cluster")
    }

    /// Kills a primary and waits until its replica has taken over.
    pub(super) fn kill(&mut self, node: &ClusterNode) {
        self.cluster.kill(node.port()).expect("the node runs");
        self.cluster.wait_until_whole().expect("a replica takes over");
        self.primaries = connect(&self.cluster);
    }

    fn owns(&mut self, at: usize, slot: u16) -> bool {
        let nodes: String = self.ask(at, &["CLUSTER", "NODES"]);
        let own = nodes.lines().find(|line| line.contains("myself")).expect("a node knows itself").to_owned();
        own.split(' ').skip(8).filter(|range| !range.starts_with('[')).any(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            first.parse().is_ok_and(|first: u16| first <= slot) && last.parse().is_ok_and(|last: u16| slot <= last)
        })
    }

    fn id(&self, at: usize) -> String {
        self.primaries[at].0.id().to_owned()
    }

    fn keys(&mut self, at: usize, slot: u16) -> Vec<String> {
        self.ask(at, &["CLUSTER", "GETKEYSINSLOT", &slot.to_string(), "1000"])
    }

    fn set_slot(&mut self, at: usize, slot: u16, words: &[&str]) {
        let slot = slot.to_string();
        let words = [&["CLUSTER", "SETSLOT", &slot], words].concat();
        let _: String = self.ask(at, &words);
    }

    fn migrate(&mut self, from: usize, to: usize, key: &str) {
        let port = self.primaries[to].0.port().to_string();
        let words = ["MIGRATE", "127.0.0.1", &port, key, "0", "5000"];
        match redis::Cmd::new().arg(&words).query::<String>(&mut self.primaries[from].1) {
            Ok(_) => {}
            // A command that follows a redirection of an earlier move, late, can create the key on a node that imports
            // its slot again. The node that has the slot has the right one.
            Err(error) if error.to_string().contains("BUSYKEY") => {
                let _: String = self.ask(from, &[&words[..], &["REPLACE"]].concat());
            }
            Err(error) => panic!("{words:?}: {error}"),
        }
    }

    #[track_caller]
    fn ask<T: FromRedisValue>(&mut self, at: usize, words: &[&str]) -> T {
        match redis::Cmd::new().arg(words).query(&mut self.primaries[at].1) {
            Ok(reply) => reply,
            Err(error) => panic!("{words:?}: {error}"),
        }
    }
}

fn connect(cluster: &Cluster) -> Vec<(ClusterNode, Connection)> {
    let nodes = cluster.nodes().expect("the cluster replies").into_iter().filter(ClusterNode::is_primary);
    let connect = |node: ClusterNode| {
        let con = Client::open(node.url()).and_then(|client| client.get_connection()).expect("the node replies");
        (node, con)
    };
    nodes.map(connect).collect()
}
