//! The reply to CLUSTER SLOTS.

use redis::Value;
use redis_keys_core::slot::known_host;

use crate::command::reply::list;

/// The address of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    /// Empty if the node does not know it.
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl Address {
    /// An address as a node reports it.
    pub(crate) fn new(host: &str, port: u16) -> Self {
        Self { host: known_host(host).unwrap_or_default().to_owned(), port }
    }

    /// Reads `host:port`.
    #[cfg(feature = "cluster")]
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (host, port) = text.rsplit_once(':')?;
        Some(Self::new(host, port.parse().ok()?))
    }

    /// The address with the host of the node that reported it, if the host is unknown.
    #[cfg(feature = "cluster")]
    pub(crate) fn reported_by(mut self, reporter: &Self) -> Self {
        if self.host.is_empty() {
            self.host.clone_from(&reporter.host);
        }
        self
    }
}

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

    /// Reads a range: its first slot, its last slot, the primary and its replicas.
    fn read(range: Value) -> Option<Self> {
        let mut range = list(range).ok()?.into_iter();
        let mut bound = || match range.next() {
            Some(Value::Int(slot)) => u16::try_from(slot).ok(),
            _ => None,
        };
        Some(Self { first: bound()?, last: bound()?, primary: range.next()? })
    }

    /// The address of the primary. The host is empty if the node does not know its own.
    pub(crate) fn address(&self) -> Option<Address> {
        let Value::Array(parts) = &self.primary else { return None };
        let (host, port) = match parts.as_slice() {
            [Value::BulkString(host), Value::Int(port), ..] => (std::str::from_utf8(host).ok()?, port),
            [Value::Nil, Value::Int(port), ..] => ("", port),
            _ => return None,
        };
        Some(Address::new(host, u16::try_from(*port).ok()?))
    }

    pub(crate) fn len(&self) -> usize {
        usize::from(self.last.saturating_sub(self.first)) + 1
    }
}

#[cfg(test)]
mod tests {
    use redis::Value;

    use super::SlotRange;

    fn node(host: &str) -> Value {
        Value::Array(vec![Value::BulkString(host.into()), Value::Int(7), Value::BulkString(b"id".to_vec())])
    }

    fn range(first: i64, last: i64, nodes: &[&str]) -> Value {
        let bounds = [first, last].map(Value::Int);
        Value::Array(bounds.into_iter().chain(nodes.iter().map(|host| node(host))).collect())
    }

    #[test]
    fn a_range_names_its_primary() {
        let ranges = vec![range(0, 5_060, &["a", "b"]), range(5_061, 5_061, &["?"]), range(5_062, 16_383, &[""])];
        let ranges = SlotRange::read_all(Value::Array(ranges));
        let found: Vec<_> = ranges.iter().map(|range| (range.len(), range.address().unwrap().host)).collect();
        assert_eq!(found, [(5_061, "a".to_owned()), (1, String::new()), (11_322, String::new())]);
    }

    #[test]
    fn a_range_that_is_not_understood_is_left_out() {
        let strange =
            vec![Value::Nil, Value::Array(vec![]), range(0, 70_000, &["a"]), range(-1, 9, &["a"]), range(0, 9, &[])];
        assert!(SlotRange::read_all(Value::Array(strange)).is_empty());
        assert!(SlotRange::read_all(Value::Okay).is_empty());
    }
}
