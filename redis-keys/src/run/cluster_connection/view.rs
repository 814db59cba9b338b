//! Which node serves which slot, as far as the connection knows.

use redis::Value;

use crate::{command::cmd, run::topology::SlotRange};

const SLOTS: usize = 16_384;

/// The address of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) host: String,
    pub(crate) port: u16,
}

/// The number of an address. It never denotes another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub(super) fn of_index(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or_default())
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl Address {
    /// Reads `host:port`. A node that does not know its own name, or that of the other, omits it: it is that of `teller`.
    pub(super) fn parse(text: &str, teller: &Address) -> Option<Self> {
        let (host, port) = text.rsplit_once(':')?;
        Some(Self { host: own_if_unknown(host, teller), port: port.parse().ok()? })
    }

    /// Reads a node of the reply to CLUSTER SLOTS of `teller`.
    fn of_slots(node: &Value, teller: &Address) -> Option<Self> {
        let Value::Array(parts) = node else { return None };
        let (host, port) = match parts.as_slice() {
            [Value::BulkString(host), Value::Int(port), ..] => (std::str::from_utf8(host).ok()?, port),
            [Value::Nil, Value::Int(port), ..] => ("", port),
            _ => return None,
        };
        Some(Self { host: own_if_unknown(host, teller), port: u16::try_from(*port).ok()? })
    }
}

fn own_if_unknown(host: &str, teller: &Address) -> String {
    let is_unknown = ["", "?", "0.0.0.0", "::"].contains(&host);
    if is_unknown { teller.host.clone() } else { host.to_owned() }
}

/// The nodes of a cluster by slot.
pub(super) struct View {
    /// All addresses that were ever known.
    addresses: Vec<Address>,
    /// The primary of each slot.
    slots: Vec<Option<NodeId>>,
    /// The primaries in the last reply to CLUSTER SLOTS.
    primaries: Vec<NodeId>,
    /// The number of these replies.
    pub(super) version: u64,
}

impl View {
    pub(super) fn new(addresses: Vec<Address>) -> Self {
        Self { addresses, slots: vec![None; SLOTS], primaries: Vec::new(), version: 0 }
    }

    /// The number of an address, which may be new.
    pub(super) fn id(&mut self, address: Address) -> NodeId {
        let known = self.addresses.iter().position(|known| *known == address);
        let new = self.addresses.len();
        if known.is_none() {
            self.addresses.push(address);
        }
        NodeId::of_index(known.unwrap_or(new))
    }

    pub(super) fn address(&self, node: NodeId) -> Option<&Address> {
        self.addresses.get(node.index())
    }

    /// Reads the reply to CLUSTER SLOTS of a node. Returns `false` if no primary is in it.
    pub(super) fn replace(&mut self, reply: Value, teller: NodeId) -> bool {
        let Some(teller) = self.address(teller).cloned() else { return false };
        let mut slots = vec![None; SLOTS];
        let mut primaries = Vec::new();
        for range in SlotRange::read_all(reply) {
            let Some(address) = Address::of_slots(&range.primary, &teller) else { continue };
            let node = self.id(address);
            let served = slots.get_mut(usize::from(range.first)..=usize::from(range.last)).unwrap_or_default();
            served.fill(Some(node));
            if !primaries.contains(&node) {
                primaries.push(node);
            }
        }
        let is_usable = !primaries.is_empty();
        if is_usable {
            (self.slots, self.primaries) = (slots, primaries);
            self.version = self.version.wrapping_add(1);
        }
        is_usable
    }

    /// Notes where a slot has moved.
    pub(super) fn assign(&mut self, slot: u16, node: NodeId) {
        if let Some(entry) = self.slots.get_mut(usize::from(slot)) {
            *entry = Some(node);
        }
    }

    /// The primary of a key, or any one for commands without a key, and for slots that nobody serves: it says so.
    pub(super) fn node_of(&self, key: Option<&[u8]>) -> NodeId {
        let primary = key.and_then(|key| *self.slots.get(usize::from(cmd::slot(key)))?);
        primary
            .or_else(|| self.primaries.get(fastrand::usize(0..self.primaries.len().max(1))).copied())
            .unwrap_or(NodeId(0))
    }

    pub(super) fn primaries(&self) -> &[NodeId] {
        &self.primaries
    }

    /// All nodes, the primaries first, each part in random order.
    pub(super) fn in_random_order(&self) -> Vec<NodeId> {
        let mut nodes = self.primaries.clone();
        fastrand::shuffle(&mut nodes);
        let all = (0..).map(NodeId).take(self.addresses.len());
        let mut others: Vec<_> = all.filter(|node| !self.primaries.contains(node)).collect();
        fastrand::shuffle(&mut others);
        nodes.append(&mut others);
        nodes
    }
}
