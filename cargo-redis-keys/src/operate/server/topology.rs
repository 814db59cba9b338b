//! The nodes of a cluster and their slots.

use redis::Value;
pub(crate) use redis_keys_core::slot::{SLOTS, slot_of};
use serde::{Deserialize, Serialize};

use super::connection::{Link, LinkError, Reply, Server};
use super::value::{bytes, elements, number, text};

/// A cluster's nodes.
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

/// A node of a cluster, with its id and its address.
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
            other => Err(LinkError::NotReady(format!("unexpected reply to CLUSTER SLOTS: {}", other.describe()))),
        }
    }

    /// Asks nodes of a cluster, until a node replies with the wanted answer.
    pub(crate) fn ask<'s, T>(
        servers: impl IntoIterator<Item = &'s Server>,
        find: impl Fn(Self) -> Option<T>,
    ) -> Option<T> {
        servers.into_iter().find_map(|server| {
            let mut link = Link::open(server).ok()?;
            find(Self::read(&mut link, server).ok()?)
        })
    }

    /// Adds a range of slots: its first, its last, its primary, and its replicas.
    fn add(&mut self, range: &Value, server: &Server) {
        let [first, last, nodes @ ..] = elements(range) else { return };
        let (Some(first), Some(last)) = (small_number(first), small_number(last)) else { return };
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

    /// The nodes of which an audit reads one: the primary, or a replica if there are any.
    pub(crate) fn readable(&self, replicas: bool) -> impl Iterator<Item = &Member> {
        let replicas: &[Member] = if replicas { &self.replicas } else { &[] };
        replicas.iter().chain(replicas.is_empty().then_some(&self.primary))
    }

    /// Whether an audit reads the node at this address.
    pub(crate) fn has(&self, address: &str, replicas: bool) -> bool {
        self.readable(replicas).any(|member| member.server.to_string() == address)
    }
}

impl Member {
    /// Reads a node: its host, its port, its id, and more.
    fn read(node: &Value, server: &Server) -> Option<Self> {
        let [host, port, others @ ..] = elements(node) else { return None };
        let server = server.at(text(host).unwrap_or_default(), small_number(port)?);
        let id = others.first().and_then(bytes).map_or_else(|| server.to_string().into_bytes(), <[u8]>::to_vec);
        Some(Self { id, server })
    }
}

fn small_number(value: &Value) -> Option<u16> {
    u16::try_from(number(value)?).ok()
}

/// A set of slots, as ranges that are sorted and do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Slots(Vec<(u16, u16)>);

impl Slots {
    pub(crate) fn of(slots: &[u16]) -> Self {
        Self::filter(|slot| slots.contains(&slot))
    }

    /// The first and the last slot of each range.
    pub(crate) fn ranges(self) -> Vec<(u16, u16)> {
        self.0
    }

    /// The slots for which this holds.
    fn filter(mut holds: impl FnMut(u16) -> bool) -> Self {
        let mut ranges: Vec<(u16, u16)> = Vec::new();
        for slot in (0..SLOTS).filter(|slot| holds(*slot)) {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == slot => *last = slot,
                _ => ranges.push((slot, slot)),
            }
        }
        Self(ranges)
    }

    /// Adds a range.
    pub(crate) fn insert(&mut self, first: u16, last: u16) {
        let (old, last) = (std::mem::take(self), last.min(SLOTS - 1));
        *self = Self::filter(|slot| old.contains(slot) || (first..=last).contains(&slot));
    }

    pub(crate) fn contains(&self, slot: u16) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&slot))
    }

    /// The slots, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> {
        self.0.iter().flat_map(|(first, last)| *first..=*last)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|(first, last)| usize::from(last - first) + 1).sum()
    }

    /// The slots that are in this set and not in the other.
    pub(crate) fn without(&self, other: &Self) -> Self {
        Self::filter(|slot| self.contains(slot) && !other.contains(slot))
    }

    /// The slots that are in both sets.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        Self::filter(|slot| self.contains(slot) && other.contains(slot))
    }

    /// The set as a table, for many look-ups.
    pub(crate) fn table(&self) -> Vec<bool> {
        (0..SLOTS).map(|slot| self.contains(slot)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_touch_become_one() {
        let mut slots = Slots::default();
        for (first, last) in [(5, 9), (0, 3), (4, 4), (20, u16::MAX)] {
            slots.insert(first, last);
        }
        assert_eq!(slots.0, [(0, 9), (20, 16_383)]);
        assert_eq!(slots.len(), 16_374);
        let mut other = Slots::default();
        other.insert(3, 3);
        assert_eq!(slots.without(&other).0, [(0, 2), (4, 9), (20, 16_383)]);
        assert_eq!(slots.intersection(&other).0, [(3, 3)]);
        assert!(other.table()[3] && !other.table()[4]);
    }
}
