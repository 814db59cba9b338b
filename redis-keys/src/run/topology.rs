//! Which node of a cluster serves which slots.

use redis::Value;

use crate::command::replies::list;

/// A range of slots as CLUSTER SLOTS reports it.
pub(crate) struct SlotRange {
    pub(crate) first: u16,
    pub(crate) last: u16,
    /// The primary: its host, its port and more.
    pub(crate) primary: Value,
}

impl SlotRange {
    /// Reads the reply to CLUSTER SLOTS, without the ranges that are not understood.
    pub(crate) fn read_all(reply: Value) -> Vec<Self> {
        list(reply).unwrap_or_default().into_iter().filter_map(Self::read).collect()
    }

    /// Reads one range: its first slot, its last one, the primary and its replicas.
    fn read(range: Value) -> Option<Self> {
        let mut range = list(range).ok()?.into_iter();
        let mut bound = || match range.next() {
            Some(Value::Int(slot)) => u16::try_from(slot).ok(),
            _ => None,
        };
        Some(Self { first: bound()?, last: bound()?, primary: range.next()? })
    }

    pub(crate) fn len(&self) -> usize {
        usize::from(self.last.saturating_sub(self.first)) + 1
    }
}

/// The primaries of a cluster by slot, as one node saw them. Commands are sent to where redis-rs believes their slots to be, so an
/// outdated map costs time and nothing else.
#[cfg(feature = "cluster-async")]
pub(crate) struct SlotMap {
    /// In the order of their slots, each with the number of its primary.
    ranges: Vec<(SlotRange, usize)>,
    /// The number of primaries.
    pub(crate) nodes: usize,
}

#[cfg(feature = "cluster-async")]
impl SlotMap {
    pub(crate) fn new(mut ranges: Vec<SlotRange>) -> Self {
        ranges.sort_unstable_by_key(|range| range.first);
        let mut primaries = Vec::new();
        let numbered = ranges.into_iter().map(|range| {
            let known = primaries.iter().position(|primary| *primary == range.primary);
            let node = known.unwrap_or(primaries.len());
            if known.is_none() {
                primaries.push(range.primary.clone());
            }
            (range, node)
        });
        Self { ranges: numbered.collect(), nodes: primaries.len() }
    }

    /// The number of the primary that serves a key.
    pub(crate) fn node_of(&self, key: &[u8]) -> Option<usize> {
        let slot = crate::command::cmd::slot(key);
        let index = self.ranges.partition_point(|(range, _)| range.last < slot);
        self.ranges.get(index).filter(|(range, _)| range.first <= slot).map(|(_, node)| *node)
    }
}

#[cfg(all(test, feature = "cluster-async"))]
mod tests {
    use redis::Value;

    use super::{SlotMap, SlotRange};

    fn node(port: i64) -> Value {
        Value::Array(vec![
            Value::BulkString(b"127.0.0.1".to_vec()),
            Value::Int(port),
            Value::BulkString(b"id".to_vec()),
        ])
    }

    fn range(first: i64, last: i64, nodes: &[i64]) -> Value {
        let bounds = [first, last].map(Value::Int);
        Value::Array(bounds.into_iter().chain(nodes.iter().map(|port| node(*port))).collect())
    }

    /// `foo` is in slot 12182, `bar` in 5061, `hello` in 866.
    fn serving(ranges: Vec<Value>) -> [Option<usize>; 3] {
        let map = SlotMap::new(SlotRange::read_all(Value::Array(ranges)));
        [b"foo".as_slice(), b"bar", b"hello"].map(|key| map.node_of(key))
    }

    #[test]
    fn a_key_is_served_by_the_primary_of_its_range() {
        let ranges = vec![range(5_061, 5_061, &[1]), range(0, 5_060, &[2, 1]), range(5_062, 16_383, &[1, 2])];
        assert_eq!(serving(ranges), [Some(1), Some(1), Some(0)]);
        assert_eq!(serving(vec![range(0, 866, &[1]), range(12_182, 12_182, &[2])]), [Some(1), None, Some(0)]);
        assert_eq!(serving(vec![range(867, 5_060, &[1]), range(5_062, 12_181, &[2])]), [None; 3]);
    }

    #[test]
    fn a_range_that_is_not_understood_serves_nothing() {
        let strange =
            vec![Value::Nil, Value::Array(vec![]), range(0, 70_000, &[1]), range(-1, 9, &[1]), range(0, 9, &[])];
        assert_eq!(serving(strange), [None; 3]);
        assert!(SlotRange::read_all(Value::Okay).is_empty());
    }
}
