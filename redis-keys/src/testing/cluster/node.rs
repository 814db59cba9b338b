//! The nodes of a cluster, and their views of each other.

use std::ops::RangeInclusive;
use std::time::Duration;

use redis::{Client, Connection, FromRedisValue, RedisResult};

use crate::testing::server;

pub(super) const SLOTS: usize = 16_384;

/// Nodes reply immediately, unless they are being killed.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A snapshot of a node of a [`Cluster`](super::Cluster).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterNode {
    id: String,
    port: u16,
    primary: Option<String>,
    slots: Vec<RangeInclusive<u16>>,
}

impl ClusterNode {
    /// Returns the port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the URL for clients of this node only: `redis://127.0.0.1:PORT/`.
    pub fn url(&self) -> String {
        server::url(self.port)
    }

    /// Returns the node ID: 40 hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns whether the node is a primary.
    pub fn is_primary(&self) -> bool {
        self.primary.is_none()
    }

    /// Returns whether the node is a replica of `primary`.
    pub fn is_replica_of(&self, primary: &ClusterNode) -> bool {
        self.primary.as_ref() == Some(&primary.id)
    }

    /// Returns whether the node is the primary that serves `slot`.
    pub fn serves(&self, slot: u16) -> bool {
        self.slots.iter().any(|range| range.contains(&slot))
    }

    /// Asks the node for the slot of a key.
    pub(super) fn slot_of(&self, key: &str) -> RedisResult<u16> {
        redis::cmd("CLUSTER").arg("KEYSLOT").arg(key).query(&mut connect(self.port)?)
    }

    /// Parses a line of `CLUSTER NODES`. `None` if the node has not joined the cluster or has failed.
    ///
    /// `ID 127.0.0.1:PORT@BUS[,…] FLAG,… PRIMARY|- PING PONG EPOCH LINK RANGE…`
    fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (id, address, flags, primary) = (words.next()?, words.next()?, words.next()?, words.next()?);
        if flags.split(',').any(|flag| ["handshake", "noaddr", "fail", "fail?"].contains(&flag)) {
            return None;
        }
        let port = address.split('@').next()?.rsplit(':').next()?.parse().ok()?;
        let primary = (primary != "-").then(|| primary.to_owned());
        // Slots that are migrating are listed in brackets, and again without.
        let slots = words.skip(4).filter(|word| !word.starts_with('[')).filter_map(range).collect();
        Some(Self { id: id.to_owned(), port, primary, slots })
    }
}

/// `5` or `5-7`.
fn range(word: &str) -> Option<RangeInclusive<u16>> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    Some(first.parse().ok()?..=last.parse().ok()?)
}

/// A node's view of the cluster.
pub(super) struct View {
    /// The running nodes, in the order of their ports.
    pub(super) nodes: Vec<ClusterNode>,
    is_serving: bool,
    is_replicating: bool,
}

impl View {
    /// Asks the node at a port.
    pub(super) fn of(port: u16, running: &[u16]) -> RedisResult<Self> {
        let mut con = connect(port)?;
        let state: String = ask(&mut con, &["CLUSTER", "INFO"])?;
        let replication: String = ask(&mut con, &["INFO", "replication"])?;
        let nodes: String = ask(&mut con, &["CLUSTER", "NODES"])?;
        Ok(Self::parse(&state, &replication, &nodes, running))
    }

    fn parse(state: &str, replication: &str, nodes: &str, running: &[u16]) -> Self {
        let nodes = nodes.lines().filter_map(ClusterNode::parse);
        let mut nodes: Vec<_> = nodes.filter(|node| running.contains(&node.port)).collect();
        nodes.sort_by_key(ClusterNode::port);
        let is_replicating = replication.contains("role:master") || replication.contains("master_link_status:up");
        Self { nodes, is_serving: state.contains("cluster_state:ok"), is_replicating }
    }

    /// Asks all nodes, and returns the first thing that is missing until they agree on a complete cluster.
    pub(super) fn missing_in(running: &[u16]) -> RedisResult<Option<&'static str>> {
        let views = running.iter().map(|port| Self::of(*port, running)).collect::<RedisResult<Vec<_>>>()?;
        Ok(Self::missing(&views))
    }

    fn missing(views: &[Self]) -> Option<&'static str> {
        let first = views.first().map_or(&[][..], |view| &view.nodes);
        let slots: usize = first.iter().flat_map(|node| &node.slots).map(ExactSizeIterator::len).sum();
        if first.len() != views.len() {
            Some("not all nodes know each other")
        } else if views.iter().any(|view| view.nodes != first) {
            Some("the nodes disagree on the slots")
        } else if slots != SLOTS {
            Some("not every slot is served")
        } else if views.iter().any(|view| !view.is_serving) {
            Some("a node is not ready")
        } else if views.iter().any(|view| !view.is_replicating) {
            Some("a replica is not connected to its primary")
        } else {
            None
        }
    }
}

pub(super) fn connect(port: u16) -> std::io::Result<Connection> {
    let open = || {
        let con = Client::open(server::url(port))?.get_connection_with_timeout(TIMEOUT)?;
        con.set_read_timeout(Some(TIMEOUT))?;
        con.set_write_timeout(Some(TIMEOUT))?;
        RedisResult::Ok(con)
    };
    open().map_err(std::io::Error::other)
}

pub(super) fn ask<T: FromRedisValue>(con: &mut Connection, words: &[&str]) -> RedisResult<T> {
    redis::Cmd::new().arg(words).query(con)
}

#[cfg(test)]
mod tests {
    use super::{ClusterNode, View};

    const NODES: &str = "\
aa 127.0.0.1:7001@17001 myself,master - 0 0 1 connected 0-5460 [93->-bb]
bb 127.0.0.1:7002@17002,,tls-port=0,shard-id=5a master - 0 1 2 connected 5461-10000 10001 10002-10922
cc 127.0.0.1:7003@17003 master - 0 1 3 connected 10923-16383
dd 127.0.0.1:7004@17004 slave aa 0 1 1 connected
";

    const RUNNING: [u16; 4] = [7001, 7002, 7003, 7004];

    /// Returns what is missing after a change to the view of the last node.
    fn missing(change: impl FnOnce(&mut View)) -> Option<&'static str> {
        let mut views = RUNNING.map(|_| View::parse("cluster_state:ok\r\n", "role:master\r\n", NODES, &RUNNING));
        change(&mut views[3]);
        View::missing(&views)
    }

    #[test]
    fn nodes_are_parsed() {
        let View { nodes, .. } = View::parse("", "", NODES, &RUNNING);
        assert_eq!(nodes.iter().map(ClusterNode::port).collect::<Vec<_>>(), RUNNING);
        assert_eq!(nodes.iter().map(ClusterNode::id).collect::<Vec<_>>(), ["aa", "bb", "cc", "dd"]);
        assert_eq!(nodes.iter().map(ClusterNode::is_primary).collect::<Vec<_>>(), [true, true, true, false]);
        assert!(nodes[3].is_replica_of(&nodes[0]) && !nodes[3].is_replica_of(&nodes[1]));
        for (slot, at) in [(0, 0), (93, 0), (5460, 0), (5461, 1), (10_001, 1), (10_922, 1), (16_383, 2)] {
            assert_eq!(nodes.iter().position(|node| node.serves(slot)), Some(at), "slot {slot}");
        }
    }

    #[test]
    fn nodes_outside_the_cluster_are_ignored() {
        for flags in ["handshake", "master,noaddr", "master,fail?", "slave,fail"] {
            let line = format!("aa 127.0.0.1:7001@17001 {flags} - 0 0 1 connected 0-5460");
            assert_eq!(ClusterNode::parse(&line), None, "{flags}");
        }
        assert_eq!(ClusterNode::parse(""), None);
        assert_eq!(View::parse("", "", NODES, &[7001, 7003]).nodes.len(), 2, "stopped nodes");
    }

    #[test]
    fn nothing_is_missing_if_all_agree() {
        assert_eq!(missing(|_| {}), None);
        assert_eq!(
            missing(
                |view| *view = View::parse("cluster_state:ok", "role:slave\nmaster_link_status:up", NODES, &RUNNING)
            ),
            None
        );
    }

    #[test]
    fn the_missing_part_is_named() {
        let read =
            |state, replication, nodes: &str| missing(|view| *view = View::parse(state, replication, nodes, &RUNNING));
        let (ok, master) = ("cluster_state:ok", "role:master");
        assert_eq!(read("cluster_state:fail", master, NODES), Some("a node is not ready"));
        let down = "role:slave\nmaster_link_status:down";
        assert_eq!(read(ok, down, NODES), Some("a replica is not connected to its primary"));
        let other = NODES.replace("10922", "10921");
        assert_eq!(read(ok, master, &other), Some("the nodes disagree on the slots"));

        let all = |nodes: &str| View::missing(&RUNNING.map(|_| View::parse(ok, master, nodes, &RUNNING)));
        assert_eq!(all(NODES), None);
        assert_eq!(all(&other), Some("not every slot is served"));
        assert_eq!(all(&NODES.replace("slave", "handshake")), Some("not all nodes know each other"));
    }
}
