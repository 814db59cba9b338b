//! The keys that a server has found hot, as `HOTKEYS GET` returns them since Redis 8.6.
//!
//! A collection begins with `HOTKEYS START`, and its result stays until `HOTKEYS RESET`. The reply is an array of one
//! map, with RESP2 an array of one array, and in previews of the command the map itself. Valkey has another command of
//! the same name, whose reply has none of these fields.

use redis::Value;
use serde::{Deserialize, Serialize};

use super::value::{bytes, elements, number, pairs};
use crate::render::KeyText;

/// The most keys that are read. Redis returns 64 of each measure at most.
const MAX_KEYS: usize = 256;

/// The hot keys of a collection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HotKeys {
    /// The CPU time in microseconds, if it was collected.
    pub(crate) cpu_us: Option<KeyCosts>,
    /// The bytes of requests and replies, if they were collected.
    pub(crate) network_bytes: Option<KeyCosts>,
    /// The number of commands among which one was measured.
    pub(crate) sample_ratio: u64,
    /// The duration of the collection so far.
    pub(crate) collected_ms: u64,
}

/// The cost of the commands on keys during a collection, scaled up if only some were measured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeyCosts {
    /// The sum of all keys.
    pub(crate) total: u64,
    /// Each hot key.
    pub(crate) keys: Vec<(KeyText, u64)>,
}

impl HotKeys {
    /// Reads a reply. Returns `None` if nothing was collected, or if the server means something else by the command.
    pub(crate) fn read(reply: &Value) -> Option<Self> {
        let map = match elements(reply) {
            [map @ (Value::Array(_) | Value::Map(_))] => map,
            _ => reply,
        };
        let fields = pairs(map);
        let field = |name: &str| {
            fields.iter().find(|(field, _)| bytes(field) == Some(name.as_bytes())).map(|(_, value)| *value)
        };
        let number = |name: &str| field(name).and_then(number);
        let sample_ratio = number("sample-ratio").unwrap_or(1).max(1);
        // If the collection was for some slots, these are all numbers.
        let measured = |keys: &str, [selected, all]: [&str; 2]| {
            let total = number(selected).or_else(|| number(all)).unwrap_or(0);
            Some(KeyCosts::read(field(keys)?, total, sample_ratio))
        };
        let cpu_us = measured("by-cpu-time-us", ["all-commands-selected-slots-us", "all-commands-all-slots-us"]);
        let network_bytes =
            measured("by-net-bytes", ["net-bytes-all-commands-selected-slots", "net-bytes-all-commands-all-slots"]);
        let collected_ms = number("collection-duration-ms").unwrap_or(0);
        (cpu_us.is_some() || network_bytes.is_some()).then_some(Self {
            cpu_us,
            network_bytes,
            sample_ratio,
            collected_ms,
        })
    }
}

impl KeyCosts {
    fn read(keys: &Value, total: u64, sample_ratio: u64) -> Self {
        let measure = |(key, measure): (&Value, &Value)| {
            Some((KeyText::new(bytes(key)?), number(measure)?.saturating_mul(sample_ratio)))
        };
        let keys: Vec<_> = pairs(keys).into_iter().take(MAX_KEYS).filter_map(measure).collect();
        // A number that is scaled up can be more than all.
        let total = keys.iter().fold(0, |sum: u64, (_, measure)| sum.saturating_add(*measure)).max(total);
        Self { total, keys }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use proptest::prelude::*;
    use redis::parse_redis_value;

    use super::*;

    /// A reply's form.
    #[derive(Clone, Copy, Debug)]
    enum Protocol {
        /// A flat array in an array.
        Resp2,
        /// A map in an array.
        Resp3,
        /// A flat array or a map, as in previews of Redis 8.6.
        Preview2,
        Preview3,
    }

    /// The reply with these fields, whose values are in RESP.
    fn reply(protocol: Protocol, fields: &[(&str, String)]) -> Value {
        let (start, count) = match protocol {
            Protocol::Resp2 => ("*1\r\n*", fields.len() * 2),
            Protocol::Resp3 => ("*1\r\n%", fields.len()),
            Protocol::Preview2 => ("*", fields.len() * 2),
            Protocol::Preview3 => ("%", fields.len()),
        };
        let fields = fields.iter().map(|(name, value)| format!("${}\r\n{name}\r\n{value}", name.len()));
        parse_redis_value(format!("{start}{count}\r\n{}", fields.collect::<String>()).as_bytes()).unwrap()
    }

    fn int(number: i64) -> String {
        format!(":{number}\r\n")
    }

    fn list(keys: &[(&str, i64)]) -> String {
        let keys_in_resp = keys.iter().map(|(key, measure)| format!("${}\r\n{key}\r\n:{measure}\r\n", key.len()));
        format!("*{}\r\n{}", keys.len() * 2, keys_in_resp.collect::<String>())
    }

    /// The example of the documentation of the command, with both measures.
    fn documented() -> Vec<(&'static str, String)> {
        vec![
            ("tracking-active", int(0)),
            ("sample-ratio", int(1)),
            ("selected-slots", "*1\r\n*2\r\n:0\r\n:16383\r\n".to_owned()),
            ("all-commands-all-slots-us", int(103)),
            ("net-bytes-all-commands-all-slots", int(2_042)),
            ("collection-start-time-unix-ms", int(1_770_824_933_147)),
            ("collection-duration-ms", int(0)),
            ("total-cpu-time-user-ms", int(23)),
            ("total-cpu-time-sys-ms", int(7)),
            ("total-net-bytes", int(2_038)),
            (
                "by-cpu-time-us",
                list(&[
                    ("hotkey_001_counter", 29),
                    ("hotkey_001", 25),
                    ("hotkey_001_hash", 11),
                    ("hotkey_001_list", 9),
                    ("hotkey_001_set", 9),
                ]),
            ),
            (
                "by-net-bytes",
                list(&[
                    ("hotkey_001", 446),
                    ("hotkey_002", 328),
                    ("hotkey_001_hash", 198),
                    ("hotkey_001_set", 167),
                    ("hotkey_001_counter", 116),
                ]),
            ),
        ]
    }

    #[test]
    fn the_documented_reply_in_each_form() {
        use Protocol::{Preview2, Preview3, Resp2, Resp3};
        for protocol in [Resp2, Resp3, Preview2, Preview3] {
            let hot = HotKeys::read(&reply(protocol, &documented())).unwrap();
            let (cpu, network) = (hot.cpu_us.unwrap(), hot.network_bytes.unwrap());
            assert_eq!((cpu.total, network.total, hot.sample_ratio, hot.collected_ms), (103, 2_042, 1, 0));
            assert_eq!(cpu.keys[0], (KeyText::new(b"hotkey_001_counter"), 29), "{protocol:?}");
            assert_eq!((cpu.keys.len(), network.keys.len()), (5, 5));
            assert_eq!(network.keys[4], (KeyText::new(b"hotkey_001_counter"), 116));
        }
    }

    /// A collection of one measure, of selected slots, of one command in ten, and one that is still running.
    #[test]
    fn collections_with_options() {
        let only = |field: &str| -> Vec<_> {
            documented().into_iter().filter(|(name, _)| !name.starts_with("by-") || *name == field).collect()
        };
        let hot = HotKeys::read(&reply(Protocol::Resp2, &only("by-net-bytes"))).unwrap();
        assert!(hot.cpu_us.is_none() && hot.network_bytes.is_some());

        let mut fields = only("by-cpu-time-us");
        fields[0].1 = int(1);
        fields[1].1 = int(10);
        fields[2].1 = "*2\r\n*1\r\n:0\r\n*2\r\n:5\r\n:6\r\n".to_owned();
        fields[6].1 = int(6_408);
        fields.push(("sampled-commands-selected-slots-us", int(90)));
        fields.push(("all-commands-selected-slots-us", int(1_000)));
        let hot = HotKeys::read(&reply(Protocol::Resp3, &fields)).unwrap();
        let cpu = hot.cpu_us.unwrap();
        assert_eq!((hot.sample_ratio, hot.collected_ms, cpu.total, cpu.keys[0].1), (10, 6_408, 1_000, 290));
        // More than all of it is all.
        fields.pop();
        let cpu = HotKeys::read(&reply(Protocol::Resp3, &fields)).unwrap().cpu_us.unwrap();
        assert_eq!(cpu.total, 830);
    }

    #[test]
    fn what_is_no_collection() {
        let valkey = "*1\r\n*6\r\n$3\r\nkey\r\n$1\r\na\r\n$2\r\ndb\r\n:0\r\n$3\r\nqps\r\n:7\r\n";
        for text in
            ["$-1\r\n", "*-1\r\n", "_\r\n", "*0\r\n", "*1\r\n*0\r\n", "+OK\r\n", ":1\r\n", "*1\r\n$1\r\nx\r\n", valkey]
        {
            assert_eq!(HotKeys::read(&parse_redis_value(text.as_bytes()).unwrap()), None, "{text}");
        }
        let none: Vec<_> = documented().into_iter().filter(|(name, _)| !name.starts_with("by-")).collect();
        assert_eq!(HotKeys::read(&reply(Protocol::Resp2, &none)), None);
    }

    #[test]
    fn hostile_replies() {
        let hot = |ratio: i64, total: i64, list: &str| {
            let fields = [
                ("sample-ratio", int(ratio)),
                ("all-commands-all-slots-us", int(total)),
                ("by-cpu-time-us", list.to_owned()),
            ];
            HotKeys::read(&reply(Protocol::Resp2, &fields)).unwrap().cpu_us.unwrap()
        };
        let keys = |measured: &KeyCosts| measured.keys.iter().map(|(_, measure)| *measure).collect::<Vec<_>>();
        let large = hot(i64::MAX, i64::MAX, &list(&[("a", i64::MAX), ("b", i64::MAX)]));
        assert_eq!((large.total, keys(&large)), (u64::MAX, vec![u64::MAX; 2]));
        assert_eq!(keys(&hot(-1, -1, &list(&[("a", -5), ("b", 7)]))), [7]);
        assert_eq!(hot(0, 9, "*0\r\n"), KeyCosts { total: 9, keys: Vec::new() });
        assert_eq!(hot(1, 9, "$1\r\nx\r\n").keys, []);
        // A name without a measure, measures that are none, and names that are none.
        let odd = "*7\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n$3\r\n1.5\r\n:3\r\n:4\r\n$1\r\nc\r\n";
        assert_eq!(keys(&hot(1, 1, odd)), [1]);
        let many: Vec<_> = (0..10_000).map(|_| ("k", 1)).collect();
        assert_eq!(hot(1, 1, &list(&many)).keys.len(), MAX_KEYS);
        let long = "x".repeat(100_000);
        assert!(hot(1, 1, &list(&[(&long, 1)])).keys[0].0.bytes().len() < 1_000);
    }

    /// Any value, with the names of fields where names can be.
    fn values() -> impl Strategy<Value = Value> {
        let name = proptest::sample::select(vec![
            "by-cpu-time-us",
            "by-net-bytes",
            "sample-ratio",
            "all-commands-all-slots-us",
        ]);
        let leaf = prop_oneof![
            any::<i64>().prop_map(Value::Int),
            name.prop_map(|name| Value::BulkString(name.into())),
            any::<Vec<u8>>().prop_map(Value::BulkString),
            any::<f64>().prop_map(Value::Double),
            Just(Value::Nil),
            Just(Value::Okay),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            let pairs = proptest::collection::vec((inner.clone(), inner.clone()), 0..5);
            prop_oneof![proptest::collection::vec(inner, 0..7).prop_map(Value::Array), pairs.prop_map(Value::Map)]
        })
    }

    proptest! {
        #[test]
        fn no_reply_makes_it_panic(reply in values()) {
            if let Some(hot) = HotKeys::read(&reply) {
                for measured in [hot.cpu_us, hot.network_bytes].into_iter().flatten() {
                    prop_assert!(measured.keys.iter().all(|(_, measure)| *measure <= measured.total));
                }
            }
        }
    }
}
