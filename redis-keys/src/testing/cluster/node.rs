//! What the nodes of a cluster know of each other.

#[cfg(test)]
mod tests;

use std::{ops::RangeInclusive, time::Duration};

use redis::{Client, Connection, FromRedisValue, RedisResult};

use crate::testing::process;

pub(super) const SLOTS: usize = 16_384;

/// Nodes answer at once, or they are about to be killed.
const PATIENCE: Duration = Duration::from_secs(5);

/// A node of a [`Cluster`](super::Cluster), as it was when it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClusterNode {
    id: String,
    port: u16,
    primary: Option<String>,
    slots: Vec<RangeInclusive<u16>>,
}

impl ClusterNode {
    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What a client connects to that wants just this node: `redis://127.0.0.1:PORT/`.
    pub fn url(&self) -> String {
        process::url(self.port)
    }

    /// The name that the nodes have for it: 40 hexadecimal digits.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Whether it is a primary.
    pub fn is_primary(&self) -> bool {
        self.primary.is_none()
    }

    /// Whether it is a replica of that node.
    pub fn is_replica_of(&self, primary: &ClusterNode) -> bool {
        self.primary.as_ref() == Some(&primary.id)
    }

    /// Whether it is the primary that serves this slot.
    pub fn serves(&self, slot: u16) -> bool {
        self.slots.iter().any(|range| range.contains(&slot))
    }

    /// The slot of a key, which every node knows.
    pub(super) fn slot_of(&self, key: &str) -> RedisResult<u16> {
        redis::cmd("CLUSTER").arg("KEYSLOT").arg(key).query(&mut connect(self.port)?)
    }

    /// Reads a line of CLUSTER NODES; `None` when the node has no place in the cluster yet.
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
        // Slots that move stand in brackets, and once more without.
        let slots = words.skip(4).filter(|word| !word.starts_with('[')).filter_map(range).collect();
        Some(Self { id: id.to_owned(), port, primary, slots })
    }
}

/// `5` or `5-7`.
fn range(word: &str) -> Option<RangeInclusive<u16>> {
    let (first, last) = word.split_once('-').unwrap_or((word, word));
    Some(first.parse().ok()?..=last.parse().ok()?)
}

/// What one node sees.
pub(super) struct View {
    /// The nodes that live, in the order of their ports.
    pub(super) nodes: Vec<ClusterNode>,
    serves: bool,
    copies: bool,
}

impl View {
    /// What the node at a port sees of those that live.
    pub(super) fn of(port: u16, living: &[u16]) -> RedisResult<Self> {
        let mut con = connect(port)?;
        let state: String = ask(&mut con, &["CLUSTER", "INFO"])?;
        let replication: String = ask(&mut con, &["INFO", "replication"])?;
        let nodes: String = ask(&mut con, &["CLUSTER", "NODES"])?;
        Ok(Self::read(&state, &replication, &nodes, living))
    }

    fn read(state: &str, replication: &str, nodes: &str, living: &[u16]) -> Self {
        let nodes = nodes.lines().filter_map(ClusterNode::parse);
        let mut nodes: Vec<_> = nodes.filter(|node| living.contains(&node.port)).collect();
        nodes.sort_by_key(ClusterNode::port);
        let copies = replication.contains("role:master") || replication.contains("master_link_status:up");
        Self { nodes, serves: state.contains("cluster_state:ok"), copies }
    }

    /// What is missing until all nodes see the same, and that is a whole cluster.
    pub(super) fn why_not(living: &[u16]) -> RedisResult<Option<&'static str>> {
        let views = living.iter().map(|port| Self::of(*port, living)).collect::<RedisResult<Vec<_>>>()?;
        Ok(Self::missing(&views))
    }

    fn missing(views: &[Self]) -> Option<&'static str> {
        let first = views.first().map_or(&[][..], |view| &view.nodes);
        let slots: usize = first.iter().flat_map(|node| &node.slots).map(ExactSizeIterator::len).sum();
        if first.len() != views.len() {
            Some("not every node has met every other")
        } else if views.iter().any(|view| view.nodes != first) {
            Some("the nodes do not agree on who serves what")
        } else if slots != SLOTS {
            Some("not every slot is served")
        } else if views.iter().any(|view| !view.serves) {
            Some("a node does not serve yet")
        } else if views.iter().any(|view| !view.copies) {
            Some("a replica is not connected to its primary")
        } else {
            None
        }
    }
}

pub(super) fn connect(port: u16) -> std::io::Result<Connection> {
    let open = || {
        let con = Client::open(process::url(port))?.get_connection_with_timeout(PATIENCE)?;
        con.set_read_timeout(Some(PATIENCE))?;
        con.set_write_timeout(Some(PATIENCE))?;
        RedisResult::Ok(con)
    };
    open().map_err(std::io::Error::other)
}

pub(super) fn ask<T: FromRedisValue>(con: &mut Connection, words: &[&str]) -> RedisResult<T> {
    redis::Cmd::new().arg(words).query(con)
}
