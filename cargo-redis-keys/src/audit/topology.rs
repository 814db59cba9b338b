//! Which node of a cluster has which slots.

use redis::Value;

use super::slots::Slots;
use crate::connection::{Link, LinkError, Reply, Server};

/// The nodes of a cluster.
#[derive(Clone, Default)]
pub(crate) struct Topology {
    pub(crate) shards: Vec<Shard>,
}

/// The nodes that have the same slots.
#[derive(Clone)]
pub(crate) struct Shard {
    pub(crate) slots: Slots,
    pub(crate) primary: Member,
    pub(crate) replicas: Vec<Member>,
}

/// A node.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) id: Vec<u8>,
    pub(crate) server: Server,
}

impl Topology {
    /// Asks a node, which `server` describes.
    pub(crate) fn read(link: &mut Link, server: &Server) -> Result<Self, LinkError> {
        match link.ask(&[b"CLUSTER", b"SLOTS"])? {
            Reply::Value(Value::Array(ranges)) => {
                let mut topology = Self::default();
                for range in &ranges {
                    topology.add(range, server);
                }
                Ok(topology)
            }
            Reply::CommandRefused => Err(LinkError::Refused("CLUSTER SLOTS is refused".to_owned())),
            other => Err(LinkError::Unavailable(format!("unexpected reply to CLUSTER SLOTS: {}", other.describe()))),
        }
    }

    /// Adds a range of slots: its first, its last, its primary, and its replicas.
    fn add(&mut self, range: &Value, server: &Server) {
        let Value::Array(range) = range else { return };
        let [Value::Int(first), Value::Int(last), nodes @ ..] = range.as_slice() else { return };
        let (Ok(first), Ok(last)) = (u16::try_from(*first), u16::try_from(*last)) else { return };
        let mut nodes = nodes.iter().filter_map(|node| Member::read(node, server));
        let Some(primary) = nodes.next() else { return };
        if let Some(shard) = self.shards.iter_mut().find(|shard| shard.primary.id == primary.id) {
            shard.slots.insert(first, last);
        } else {
            let mut slots = Slots::default();
            slots.insert(first, last);
            self.shards.push(Shard { slots, primary, replicas: nodes.collect() });
        }
    }

    /// All nodes.
    pub(crate) fn members(&self) -> impl Iterator<Item = &Member> {
        self.shards.iter().flat_map(|shard| [&shard.primary].into_iter().chain(&shard.replicas))
    }

    /// The shard that has most of these slots.
    pub(crate) fn owner(&self, slots: &Slots) -> Option<&Shard> {
        let common = |shard: &&Shard| shard.slots.intersection(slots).len();
        self.shards.iter().max_by_key(common).filter(|shard| common(shard) > 0)
    }

    /// The slots of the node at this address, as a primary or as a replica.
    pub(crate) fn slots_at(&self, address: &str) -> Slots {
        let is_here = |member: &Member| member.server.to_string() == address;
        let shard = self.shards.iter().find(|shard| is_here(&shard.primary) || shard.replicas.iter().any(is_here));
        shard.map(|shard| shard.slots.clone()).unwrap_or_default()
    }
}

impl Shard {
    /// The node that an audit reads.
    pub(crate) fn member(&self, replicas: bool) -> &Member {
        self.readable(replicas).next().unwrap_or(&self.primary)
    }

    /// The nodes of which an audit reads one: the primary, or one of the replicas if there are any.
    pub(crate) fn readable(&self, replicas: bool) -> impl Iterator<Item = &Member> {
        let replicas: &[Member] = if replicas { &self.replicas } else { &[] };
        replicas.iter().chain(replicas.is_empty().then_some(&self.primary))
    }

    /// Whether the node at this address is one that an audit reads.
    pub(crate) fn has(&self, address: &str, replicas: bool) -> bool {
        self.readable(replicas).any(|member| member.server.to_string() == address)
    }
}

impl Member {
    /// Reads a node: its address, its port, its id, and more. An unknown address is that of the node that was asked.
    fn read(node: &Value, server: &Server) -> Option<Self> {
        let Value::Array(node) = node else { return None };
        let (host, port) = (node.first()?, node.get(1)?);
        let host = match host {
            Value::BulkString(host) => {
                String::from_utf8(host.clone()).ok().filter(|host| !host.is_empty() && host != "?")
            }
            _ => None,
        };
        let Value::Int(port) = port else { return None };
        let port = u16::try_from(*port).ok()?;
        let server = server.at(host.as_deref().unwrap_or(server.host()), port);
        let id = match node.get(2) {
            Some(Value::BulkString(id)) => id.clone(),
            _ => server.to_string().into_bytes(),
        };
        Some(Self { id, server })
    }
}
