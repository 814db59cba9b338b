//! Which keys are on the same node.

use redis::{
    Cmd, Value,
    cluster_async::ClusterConnection,
    cluster_routing::{RoutingInfo, SingleNodeRoutingInfo},
};

use crate::command::slot::slot;

/// Who serves which slots, as a node of the cluster saw it. Each command is sent to where redis-rs knows its slot to be, so a
/// view that is out of date costs time and nothing else.
pub(crate) struct Nodes {
    /// In the order of their slots.
    ranges: Vec<Slots>,
    /// How many primaries there are.
    pub(crate) count: usize,
}

struct Slots {
    first: u16,
    last: u16,
    /// The number of the primary.
    node: usize,
}

impl Nodes {
    /// Asks the cluster: one round trip.
    pub(crate) async fn ask(con: &mut ClusterConnection) -> Option<Self> {
        let mut question = Cmd::new();
        question.arg("CLUSTER").arg("SLOTS");
        let to = RoutingInfo::SingleNode(SingleNodeRoutingInfo::Random);
        Self::read(con.route_command(question, to).await.ok()?)
    }

    /// Reads what CLUSTER SLOTS answers. What is not understood is as if nobody served it.
    fn read(answer: Value) -> Option<Self> {
        let Value::Array(ranges) = answer else { return None };
        let mut nodes = Vec::new();
        let mut ranges: Vec<_> = ranges.into_iter().filter_map(|range| Slots::read(range, &mut nodes)).collect();
        ranges.sort_unstable_by_key(|range| range.first);
        Some(Self { ranges, count: nodes.len() })
    }

    /// The number of the node that serves a key.
    pub(crate) fn serving(&self, key: &[u8]) -> Option<usize> {
        let slot = slot(key);
        let at = self.ranges.partition_point(|range| range.last < slot);
        self.ranges.get(at).filter(|range| range.first <= slot).map(|range| range.node)
    }
}

impl Slots {
    /// Reads one range: its first slot, its last one, the primary, and replicas.
    fn read(range: Value, nodes: &mut Vec<Value>) -> Option<Self> {
        let Value::Array(range) = range else { return None };
        let mut range = range.into_iter();
        let mut bound = || match range.next() {
            Some(Value::Int(slot)) => u16::try_from(slot).ok(),
            _ => None,
        };
        let (first, last) = (bound()?, bound()?);
        let primary = range.next()?;
        let node = nodes.iter().position(|node| *node == primary).unwrap_or_else(|| {
            nodes.push(primary);
            nodes.len() - 1
        });
        Some(Self { first, last, node })
    }
}

#[cfg(test)]
mod tests {
    use redis::Value;

    use super::Nodes;

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
        let nodes = Nodes::read(Value::Array(ranges)).unwrap();
        [b"foo".as_slice(), b"bar", b"hello"].map(|key| nodes.serving(key))
    }

    #[test]
    fn a_key_is_served_by_the_primary_of_its_range() {
        let ranges = vec![range(5_061, 5_061, &[1]), range(0, 5_060, &[2, 1]), range(5_062, 16_383, &[1, 2])];
        assert_eq!(serving(ranges), [Some(0), Some(0), Some(1)]);
        assert_eq!(serving(vec![range(0, 866, &[1]), range(12_182, 12_182, &[2])]), [Some(1), None, Some(0)]);
        assert_eq!(serving(vec![range(867, 5_060, &[1]), range(5_062, 12_181, &[2])]), [None; 3]);
    }

    #[test]
    fn an_answer_that_is_not_understood_serves_nothing() {
        let strange =
            vec![Value::Nil, Value::Array(vec![]), range(0, 70_000, &[1]), range(-1, 9, &[1]), range(0, 9, &[])];
        assert_eq!(serving(strange), [None; 3]);
        assert!(Nodes::read(Value::Okay).is_none());
    }
}
