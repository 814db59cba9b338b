//! Counts of the keys of one node, in an amount of memory that does not grow with the number of keys.

mod counts;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub(crate) use counts::{Counts, LargeKey, Top};
use serde::{Deserialize, Serialize};

use crate::declare::redis_type::RedisType;
use crate::operate::infer::Learner;
use crate::operate::server::facts::Facts;
use crate::operate::server::fault::Faults;
use crate::operate::server::scan::{Expiry, FirstLook, SecondLook};
use crate::operate::server::schemas::Schemas;
use crate::render::FindingId;

/// The number of the largest keys that are kept.
const LARGEST: usize = 20;

/// The number of keys of each declaration that get a second look, before one in `SAMPLE` does.
const FIRST_KEYS: u64 = 16;

/// One in this many keys gets a second look in any case.
const SAMPLE: u64 = 256;

/// From this access counter on a key is hot: about 100,000 accesses with the default `lfu-log-factor`.
const HOT: u64 = 142;

/// Spans of time until keys expire, with their milliseconds.
pub(crate) const SPANS: [(&str, u64); 7] = [
    ("1 minute", 60_000),
    ("10 minutes", 600_000),
    ("1 hour", 3_600_000),
    ("1 day", 86_400_000),
    ("1 week", 604_800_000),
    ("30 days", 2_592_000_000),
    ("1 year", 31_536_000_000),
];

/// Counts of the keys of one node. They can be saved, and merged with another node's counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Of each declaration, by its index in the catalog.
    declared: Vec<Counts>,
    pub(crate) unknown: Counts,
    /// Of each other program that the policy names.
    #[serde(default)]
    foreign: BTreeMap<String, Counts>,
    pub(crate) templates: Learner,
    pub(crate) largest: Top<LargeKey>,
    /// Of each type: the number of keys and their memory.
    types: [(u64, u64); 7],
    /// The number of keys that expire in each of [`SPANS`], and later.
    pub(crate) expiries: [u64; SPANS.len() + 1],
    compact: CompactLimits,
}

/// The most elements that a hash, a set and a zset have in a compact encoding. `None` if that is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct CompactLimits {
    hash: Option<u64>,
    set: Option<u64>,
    zset: Option<u64>,
}

impl Tally {
    /// A tally of a node that says this about itself.
    pub(crate) fn new(facts: &Facts) -> Self {
        let limit = |names: [&str; 2]| {
            facts.compact_limits.iter().find(|(name, _)| names.contains(&name.as_str())).map(|(_, limit)| *limit)
        };
        let compact = CompactLimits {
            hash: limit(["hash-max-listpack-entries", "hash-max-ziplist-entries"]),
            set: limit(["set-max-listpack-entries", ""]),
            zset: limit(["zset-max-listpack-entries", "zset-max-ziplist-entries"]),
        };
        Self { compact, ..Self::default() }
    }

    /// Counts a key. Returns whether it needs a second look.
    ///
    /// Keys of other programs need none.
    pub(crate) fn first_look(&mut self, schemas: &Schemas, look: &FirstLook<'_>) -> bool {
        let bytes = look.memory.unwrap_or(0);
        if let Some(pair) = self.types.get_mut(look.redis_type as usize) {
            add(pair, (1, bytes));
        }
        if let Expiry::In(left) = look.expiry
            && let Some(keys) = self.expiries.get_mut(SPANS.partition_point(|(_, ms)| *ms < left))
        {
            *keys += 1;
        }
        if self.largest.admits(LARGEST, bytes, look.key) {
            self.largest.add(LARGEST, LargeKey::new(look));
        }
        let faults = Faults::of_first_look(schemas, look);
        if look.declaration.is_none()
            && !faults.has(FindingId::UnknownKey)
            && let Some(program) = schemas.foreign.find(look.key)
        {
            let counts = self.foreign.entry(program.to_owned()).or_default();
            counts.add(look);
            if faults.has(FindingId::NoExpiry) {
                counts.found(FindingId::ForeignNoExpiry, look, bytes);
            }
            return false;
        }
        let legacy = look.declaration.and_then(|index| schemas.legacy_name(look.key, index));
        let counts = self.counts(look.declaration);
        counts.add(look);
        if let Some(name) = legacy {
            counts.add_legacy(look, schemas.objection(look.key, name));
        }
        counts.add_faults(faults, look, &SecondLook::default());
        if faults.has(FindingId::UnknownKey) {
            counts.behind_a_prefix += u64::from(schemas.matcher.finds_legacy_behind_a_prefix(look.key));
            self.templates.add(look);
        }
        self.needs_second_look(schemas, look)
    }

    /// Whether a key that was just counted needs a second look: a key that could break a limit according to its memory
    /// (an element has two bytes at least), a list, whose memory is a guess, and a sample.
    fn needs_second_look(&self, schemas: &Schemas, look: &FirstLook<'_>) -> bool {
        let limits = schemas.limits(look.declaration, look.redis_type);
        let Some(memory) = look.memory else { return true };
        let keys = match look.declaration {
            Some(index) => self.declared.get(index).map_or(0, |counts| counts.keys),
            None => self.unknown.keys,
        };
        let is_sampled = keys <= FIRST_KEYS || keys.is_multiple_of(SAMPLE);
        let is_large = self.largest.items().last().is_some_and(|smallest| memory >= smallest.bytes);
        is_sampled || is_large || limits.may_be_exceeded(memory)
    }

    /// Counts the second look at a key.
    pub(crate) fn second_look(&mut self, schemas: &Schemas, look: &FirstLook<'_>, second: &SecondLook) {
        let limits = schemas.limits(look.declaration, look.redis_type);
        let compact = self.compact.of(look.redis_type);
        if let Some(large) = self.largest.get_mut(look.key) {
            large.length = second.length;
        }
        if let (None, Some(length)) = (look.declaration, second.length) {
            self.templates.add_length(look, length);
        }
        let counts = self.counts(look.declaration);
        counts.second_looks += 1;
        counts.frequencies += u64::from(second.frequency.is_some());
        if let Some(seconds) = second.idle {
            counts.add_idle_time(look, seconds);
        }
        let faults = Faults::of_second_look(schemas, look, second);
        counts.add_faults(faults, look, second);
        if second.length.is_none() && limits.max_size().is_some() {
            if faults.has(FindingId::BigValue) || faults.has(FindingId::BigCollection) {
                counts.measured_by_memory += 1;
            } else if look.memory.is_none_or(|memory| limits.may_be_exceeded(memory)) {
                counts.unmeasured += 1;
            }
        }
        if let Some(frequency) = second.frequency.filter(|frequency| *frequency >= HOT) {
            counts.found(FindingId::HotKey, look, frequency);
        }
        if let (Some(encoding), Some(length), Some(most)) = (&second.encoding, second.length, compact)
            && length <= most
            && !["listpack", "listpackex", "ziplist", "intset"].contains(&encoding.as_str())
        {
            counts.found(FindingId::LeftCompactEncoding, look, look.memory.unwrap_or(0));
        }
    }

    /// Adds another node's counts.
    pub(crate) fn merge(&mut self, other: Self) {
        if self.declared.len() < other.declared.len() {
            self.declared.resize_with(other.declared.len(), Counts::default);
        }
        self.declared.iter_mut().zip(other.declared).for_each(|(counts, other)| counts.merge(other));
        self.unknown.merge(other.unknown);
        for (program, counts) in other.foreign {
            self.foreign.entry(program).or_default().merge(counts);
        }
        self.templates.merge(other.templates);
        self.largest.merge(LARGEST, other.largest);
        self.types.iter_mut().zip(other.types).for_each(|(pair, other)| add(pair, other));
        self.expiries.iter_mut().zip(other.expiries).for_each(|(keys, other)| *keys += other);
    }

    /// The number of keys and their memory.
    pub(crate) fn total(&self) -> (u64, u64) {
        let mut total = (0, 0);
        self.types.iter().for_each(|pair| add(&mut total, *pair));
        total
    }

    /// A declaration's keys.
    pub(crate) fn declared(&self, index: usize) -> Option<&Counts> {
        self.declared.get(index)
    }

    /// The keys of other programs, by their names.
    pub(crate) fn foreign(&self) -> impl Iterator<Item = (&str, &Counts)> {
        self.foreign.iter().map(|(program, counts)| (program.as_str(), counts))
    }

    /// Of each type: its name, the number of keys and their memory.
    pub(crate) fn types(&self) -> impl Iterator<Item = (&'static str, u64, u64)> {
        let types = RedisType::ALL.iter().zip(&self.types);
        types.map(|(redis_type, (keys, bytes))| (redis_type.name(), *keys, *bytes)).filter(|(_, keys, _)| *keys > 0)
    }

    /// A declaration's keys, or the unknown keys.
    fn counts(&mut self, declaration: Option<usize>) -> &mut Counts {
        let Some(index) = declaration else { return &mut self.unknown };
        if index >= self.declared.len() {
            self.declared.resize_with(index + 1, Counts::default);
        }
        self.declared.get_mut(index).unwrap_or(&mut self.unknown)
    }
}

impl CompactLimits {
    fn of(self, redis_type: RedisType) -> Option<u64> {
        match redis_type {
            RedisType::Hash => self.hash,
            RedisType::Set => self.set,
            RedisType::ZSet => self.zset,
            _ => None,
        }
    }
}

fn add(pair: &mut (u64, u64), other: (u64, u64)) {
    *pair = (pair.0 + other.0, pair.1 + other.1);
}
