//! The nodes of a cluster and their slots, as far as the connection knows them.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use redis::Value;
use redis_keys_core::slot::{SLOTS, slot_of};

use crate::run::slot_range::{Address, SlotRange};

/// The time for which the address of a former primary is kept: longer than any command is sent again.
const FORGET_AFTER: Duration = Duration::from_secs(60);

/// The number of an address. It is never used for another address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(NonZeroU64);

/// A cluster's nodes by slot.
pub(super) struct View {
    addresses: BTreeMap<NodeId, KnownAddress>,
    /// The number of the next address.
    next: NodeId,
    /// The primary of each slot.
    slots: Vec<Option<NodeId>>,
    /// The primaries in the last reply to CLUSTER SLOTS.
    primaries: Vec<NodeId>,
    /// The number of these replies.
    pub(super) version: u64,
    /// The number of times that a slot was found at another node than before.
    pub(super) changes: u64,
}

struct KnownAddress {
    address: Address,
    /// Whether the user has given it, so that it is never forgotten.
    is_given: bool,
    /// The time at which it stopped being a primary's address, as far as is known.
    absent_since: Option<Instant>,
}

impl View {
    /// Creates a view that knows only some addresses, at least one.
    pub(super) fn new(addresses: Vec<Address>) -> Self {
        let mut view = Self {
            addresses: BTreeMap::new(),
            next: NodeId(NonZeroU64::MIN),
            slots: vec![None; usize::from(SLOTS)],
            primaries: Vec::new(),
            version: 0,
            changes: 0,
        };
        for address in addresses {
            view.id(address);
        }
        view.addresses.values_mut().for_each(|known| known.is_given = true);
        view
    }

    /// Whether a node has named the primaries.
    pub(super) fn is_known(&self) -> bool {
        !self.primaries.is_empty()
    }

    /// The number of an address, which may be new.
    pub(super) fn id(&mut self, address: Address) -> NodeId {
        let now = Instant::now();
        if let Some((node, known)) = self.addresses.iter_mut().find(|(_, known)| known.address == address) {
            known.absent_since = known.absent_since.map(|_| now);
            return *node;
        }
        let node = self.next;
        self.next = NodeId(node.0.saturating_add(1));
        self.addresses.insert(node, KnownAddress { address, is_given: false, absent_since: Some(now) });
        node
    }

    /// The address of a node, unless it is forgotten.
    pub(super) fn address(&self, node: NodeId) -> Option<&Address> {
        self.addresses.get(&node).map(|known| &known.address)
    }

    /// Reads a node's reply to CLUSTER SLOTS. Returns `false` if the reply has no primary.
    pub(super) fn replace(&mut self, reply: Value, reporter: NodeId) -> bool {
        let Some(reporter) = self.address(reporter).cloned() else { return false };
        let mut slots = vec![None; usize::from(SLOTS)];
        let mut primaries = Vec::new();
        for range in SlotRange::read_all(reply) {
            let Some(address) = range.address() else { continue };
            let node = self.id(address.reported_by(&reporter));
            let served = slots.get_mut(usize::from(range.first)..=usize::from(range.last)).unwrap_or_default();
            served.fill(Some(node));
            if !primaries.contains(&node) {
                primaries.push(node);
            }
        }
        let is_usable = !primaries.is_empty();
        if is_usable {
            if self.slots != slots {
                self.changes = self.changes.wrapping_add(1);
            }
            (self.slots, self.primaries) = (slots, primaries);
            self.version = self.version.wrapping_add(1);
            self.forget(Instant::now());
        }
        is_usable
    }

    /// Forgets the addresses of former primaries after a while.
    pub(super) fn forget(&mut self, now: Instant) {
        let primaries = &self.primaries;
        self.addresses.retain(|node, known| {
            known.absent_since = if primaries.contains(node) { None } else { known.absent_since.or(Some(now)) };
            let absent = known.absent_since.map(|since| now.saturating_duration_since(since));
            known.is_given || absent.is_none_or(|absent| absent < FORGET_AFTER)
        });
    }

    /// Notes where a slot has moved.
    pub(super) fn assign(&mut self, slot: u16, node: NodeId) {
        if let Some(entry) = self.slots.get_mut(usize::from(slot))
            && *entry != Some(node)
        {
            *entry = Some(node);
            self.changes = self.changes.wrapping_add(1);
        }
    }

    /// The primary of a key, or any primary for commands without a key, and for unserved slots, where the node replies
    /// CLUSTERDOWN.
    pub(super) fn node_of(&self, key: Option<&[u8]>) -> NodeId {
        let primary = key.and_then(|key| *self.slots.get(usize::from(slot_of(key)))?);
        primary
            .or_else(|| self.primaries.get(fastrand::usize(0..self.primaries.len().max(1))).copied())
            .unwrap_or(NodeId(NonZeroU64::MIN))
    }

    pub(super) fn primaries(&self) -> &[NodeId] {
        &self.primaries
    }

    /// All nodes, the primaries first, each part in random order.
    pub(super) fn in_random_order(&self) -> Vec<NodeId> {
        let mut nodes = self.primaries.clone();
        fastrand::shuffle(&mut nodes);
        let mut others: Vec<_> = self.addresses.keys().copied().filter(|node| !self.primaries.contains(node)).collect();
        fastrand::shuffle(&mut others);
        nodes.append(&mut others);
        nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(port: u16) -> Address {
        Address { host: "a".into(), port }
    }

    /// A cluster with one primary, which says so itself.
    fn replace(view: &mut View, port: u16) {
        let node = Value::Array(vec![Value::BulkString(b"a".to_vec()), Value::Int(port.into())]);
        let range = Value::Array(vec![Value::Int(0), Value::Int(16_383), node]);
        let reporter = view.id(address(port));
        assert!(view.replace(Value::Array(vec![range]), reporter));
    }

    fn ports(view: &View) -> Vec<u16> {
        view.addresses.values().map(|known| known.address.port).collect()
    }

    #[test]
    fn an_address_is_forgotten_a_while_after_it_was_that_of_a_primary() {
        let mut view = View::new(vec![address(1), address(2), address(1)]);
        replace(&mut view, 3);
        let later = |seconds| Instant::now() + Duration::from_secs(seconds);
        let [_, _, third, fourth] = [1, 2, 3, 4].map(|port| view.id(address(port)));
        view.forget(later(50));
        assert_eq!(ports(&view), [1, 2, 3, 4]);
        // A redirect named it again a moment ago; and the primary is one however long.
        view.id(address(4));
        view.forget(later(59));
        assert_eq!(ports(&view), [1, 2, 3, 4]);
        view.forget(later(1000));
        assert_eq!((ports(&view), view.address(fourth)), (vec![1, 2, 3], None));
        assert_eq!((view.in_random_order().len(), view.node_of(Some(b"x"))), (3, third));

        replace(&mut view, 5);
        assert_eq!(ports(&view), [1, 2, 3, 5], "it was a primary until now");
        view.forget(later(100));
        assert_eq!(ports(&view), [1, 2, 5]);
        let again = [view.id(address(3)), view.id(address(4))];
        assert!(again.iter().all(|node| *node > fourth && ![third, fourth].contains(node)), "{again:?}");
        assert_eq!([third, fourth].map(|node| view.address(node).cloned()), [None, None]);
    }
}
