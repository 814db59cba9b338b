//! Counts of the keys of one declaration, and the heaviest of many keys.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::declare::redis_type::RedisType;
use crate::operate::server::fault::{Faults, measure};
use crate::operate::server::scan::{Expiry, FirstLook, SecondLook};
use crate::operate::stats::Histogram;
use crate::render::{Example, FindingId, KeyText};

/// From this idle time on data is cold: 30 days, in seconds.
const COLD: u64 = 30 * 86_400;

/// The number of examples that are kept, of each finding and of each declaration.
const EXAMPLES: usize = 5;

/// Counts of the keys of one declaration, or of all unknown keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// The number of keys.
    pub(crate) keys: u64,
    /// Their memory.
    pub(crate) bytes: u64,
    /// The number of keys that never expire.
    pub(crate) without_expiry: u64,
    /// The number of keys whose memory the server refused to report.
    pub(crate) without_memory: u64,
    /// The number of keys that got a second look.
    pub(crate) second_looks: u64,
    /// The number of keys whose access counter is known.
    pub(crate) frequencies: u64,
    /// The number of keys whose idle time is known.
    #[serde(default)]
    pub(crate) idle_times: u64,
    /// The memory of these keys.
    #[serde(default)]
    pub(crate) idle_bytes: u64,
    /// The number of keys that could be larger than allowed, but whose length is unknown.
    pub(crate) unmeasured: u64,
    /// The number of keys that are larger than allowed according to their memory, and whose length is unknown.
    pub(crate) measured_by_memory: u64,
    /// Each key's memory.
    pub(crate) sizes: Histogram,
    /// The milliseconds until each key expires.
    pub(crate) times_left: Histogram,
    /// The largest keys.
    pub(crate) largest: Top<Example>,
    /// The number of keys with the legacy text of their declaration.
    #[serde(default)]
    pub(crate) legacy: u64,
    /// The number of unknown keys that have a legacy text behind some prefix.
    #[serde(default)]
    pub(crate) behind_a_prefix: u64,
    /// The reasons for which keys with legacy texts cannot have their names, with the number of keys.
    #[serde(default)]
    pub(crate) objections: BTreeMap<String, u64>,
    findings: BTreeMap<FindingId, Evidence>,
}

/// The keys for which something is wrong.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Evidence {
    pub(crate) count: u64,
    /// Their memory.
    pub(crate) bytes: u64,
    /// The worst keys.
    pub(crate) examples: Top<Example>,
}

/// One of the largest keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LargeKey {
    /// The key.
    pub(crate) key: KeyText,
    /// Its memory.
    pub(crate) bytes: u64,
    /// Its type.
    #[serde(rename = "type")]
    pub(crate) redis_type: RedisType,
    /// Its length, if it was asked for.
    pub(crate) length: Option<u64>,
    /// Its declaration's index.
    pub(crate) declaration: Option<usize>,
}

impl LargeKey {
    pub(super) fn new(look: &FirstLook<'_>) -> Self {
        let bytes = look.memory.unwrap_or(0);
        Self {
            key: KeyText::new(look.key),
            bytes,
            redis_type: look.redis_type,
            length: None,
            declaration: look.declaration,
        }
    }
}

impl TopItem for Example {
    fn weight(&self) -> u64 {
        self.weight
    }

    fn key(&self) -> &KeyText {
        &self.key
    }
}

impl TopItem for LargeKey {
    fn weight(&self) -> u64 {
        self.bytes
    }

    fn key(&self) -> &KeyText {
        &self.key
    }
}

impl Counts {
    /// Counts a key.
    pub(super) fn add(&mut self, look: &FirstLook<'_>) {
        self.keys += 1;
        match look.expiry {
            Expiry::Never => self.without_expiry += 1,
            Expiry::In(left) => self.times_left.add(left),
        }
        let Some(bytes) = look.memory else {
            self.without_memory += 1;
            return;
        };
        self.bytes += bytes;
        self.sizes.add(bytes);
        self.largest.offer(look.key, bytes);
    }

    /// Counts a key with a legacy text, and the reason for which it cannot have its name.
    pub(super) fn add_legacy(&mut self, look: &FirstLook<'_>, objection: Option<String>) {
        self.legacy += 1;
        if let Some(objection) = objection {
            *self.objections.entry(objection).or_default() += 1;
            self.found(FindingId::RefusedName, look, look.memory.unwrap_or(0));
        }
    }

    /// Counts the faults of a key.
    pub(super) fn add_faults(&mut self, faults: Faults, look: &FirstLook<'_>, second: &SecondLook) {
        for fault in faults.iter() {
            self.found(fault, look, measure(fault, look, second));
        }
    }

    /// Counts a key for which something is wrong.
    pub(super) fn found(&mut self, id: FindingId, look: &FirstLook<'_>, weight: u64) {
        let evidence = self.findings.entry(id).or_default();
        evidence.count += 1;
        evidence.bytes += look.memory.unwrap_or(0);
        evidence.examples.offer(look.key, weight);
    }

    /// Adds another node's counts.
    pub(super) fn merge(&mut self, other: Self) {
        self.keys += other.keys;
        self.bytes += other.bytes;
        self.without_expiry += other.without_expiry;
        self.without_memory += other.without_memory;
        self.second_looks += other.second_looks;
        self.frequencies += other.frequencies;
        self.idle_times += other.idle_times;
        self.idle_bytes += other.idle_bytes;
        self.unmeasured += other.unmeasured;
        self.measured_by_memory += other.measured_by_memory;
        self.legacy += other.legacy;
        self.behind_a_prefix += other.behind_a_prefix;
        for (objection, keys) in other.objections {
            *self.objections.entry(objection).or_default() += keys;
        }
        self.sizes.merge(&other.sizes);
        self.times_left.merge(&other.times_left);
        self.largest.merge(EXAMPLES, other.largest);
        for (id, evidence) in other.findings {
            let same = self.findings.entry(id).or_default();
            same.count += evidence.count;
            same.bytes += evidence.bytes;
            same.examples.merge(EXAMPLES, evidence.examples);
        }
    }

    /// Counts how long a key was not used.
    pub(super) fn add_idle_time(&mut self, look: &FirstLook<'_>, seconds: u64) {
        self.idle_times += 1;
        self.idle_bytes += look.memory.unwrap_or(0);
        if seconds >= COLD {
            self.found(FindingId::ColdData, look, seconds.saturating_mul(1_000));
        }
    }

    /// The findings about these keys. A few cold keys, or cold keys of unknown size, are no finding.
    pub(crate) fn findings(&self) -> impl Iterator<Item = (FindingId, &Evidence)> {
        let half = self.idle_bytes.div_ceil(2).max(1);
        let is_notable = move |id: FindingId, evidence: &Evidence| id != FindingId::ColdData || evidence.bytes >= half;
        self.findings
            .iter()
            .map(|(id, evidence)| (*id, evidence))
            .filter(move |(id, evidence)| is_notable(*id, evidence))
    }
}

impl Top<Example> {
    /// Adds a key if it is among the heaviest.
    fn offer(&mut self, key: &[u8], weight: u64) {
        if self.admits(EXAMPLES, weight, key) {
            self.add(EXAMPLES, Example { weight, key: KeyText::new(key) });
        }
    }
}

/// Something about a key, by which keys are compared.
pub(crate) trait TopItem {
    /// The measure by which the largest are kept.
    fn weight(&self) -> u64;

    /// The key, which is kept once.
    fn key(&self) -> &KeyText;
}

/// The heaviest keys of many, the heaviest first. Among equally heavy keys, the first in the order of the alphabet are
/// kept, so that the order in which keys come does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Top<T> {
    items: Vec<T>,
}

impl<T> Default for Top<T> {
    fn default() -> Self {
        Self { items: Vec::new() }
    }
}

impl<T: TopItem> Top<T> {
    /// Whether this key would be among the heaviest `limit`. Most are not, and cost nothing more.
    pub(crate) fn admits(&self, limit: usize, weight: u64, key: &[u8]) -> bool {
        self.items.len() < limit
            || self
                .items
                .last()
                .is_some_and(|last| (Reverse(weight), key) < (Reverse(last.weight()), last.key().bytes()))
    }

    /// Adds a key, and drops the lightest if there are more than `limit`.
    pub(crate) fn add(&mut self, limit: usize, item: T) {
        if let Some(place) = self.items.iter().position(|other| other.key() == item.key()) {
            if self.items.get(place).is_some_and(|other| other.weight() >= item.weight()) {
                return;
            }
            self.items.remove(place);
        }
        let place = self
            .items
            .partition_point(|other| (Reverse(other.weight()), other.key()) < (Reverse(item.weight()), item.key()));
        if place < limit {
            self.items.insert(place, item);
            self.items.truncate(limit);
        }
    }

    /// Adds another list's keys.
    pub(crate) fn merge(&mut self, limit: usize, other: Self) {
        for item in other.items {
            self.add(limit, item);
        }
    }

    /// The item of a key, to be completed.
    pub(crate) fn get_mut(&mut self, key: &[u8]) -> Option<&mut T> {
        self.items.iter_mut().find(|item| item.key().is(key))
    }

    /// The keys, the heaviest first.
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::Example;

    fn top(keys: &[(u64, &str)]) -> Top<Example> {
        let mut top = Top::default();
        for (weight, key) in keys {
            top.add(3, Example { weight: *weight, key: KeyText::new(key.as_bytes()) });
        }
        top
    }

    #[test]
    fn the_heaviest_are_kept_in_any_order() {
        let forward = top(&[(1, "a"), (5, "b"), (3, "c"), (3, "d"), (3, "b2"), (9, "e")]);
        let backward = top(&[(9, "e"), (3, "b2"), (3, "d"), (3, "c"), (5, "b"), (1, "a")]);
        assert_eq!(forward, backward);
        let shown: Vec<_> = forward.items().iter().map(|item| item.key.shown()).collect();
        assert_eq!(shown, ["e", "b", "b2"]);
        assert!(forward.admits(3, 4, b"z") && forward.admits(3, 3, b"a") && forward.admits(4, 0, b"z"));
        assert!(!forward.admits(3, 3, b"c") && !forward.admits(3, 2, b"a"));
    }

    #[test]
    fn a_key_is_kept_once_with_its_largest_weight() {
        let twice = top(&[(5, "a"), (7, "a"), (6, "a"), (1, "b")]);
        let weights: Vec<_> = twice.items().iter().map(|item| item.weight).collect();
        assert_eq!(weights, [7, 1]);
    }
}
