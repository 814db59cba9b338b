//! Counts of the keys of one node, in an amount of memory that does not grow with the number of keys.

mod counts;
mod name;
#[cfg(test)]
mod tests;
mod top;

use std::collections::BTreeMap;
use std::time::SystemTime;

pub(crate) use counts::{Counts, LargeKey};
use serde::{Deserialize, Serialize};
pub(crate) use top::Top;

use crate::Failure;
use crate::declare::redis_type::RedisType;
use crate::operate::infer::{InferredTemplate, Learner};
use crate::operate::server::facts::Facts;
use crate::operate::server::scan::{Expiry, FirstLook, Probes, SecondLook, Visitor};
use crate::operate::server::schemas::{Limits, Schemas};
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

/// Counts of the keys of one node. They can be saved, and merged with those of another node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// Of each declaration, by its index in the catalog.
    declared: Vec<Counts>,
    unknown: Counts,
    /// Of each other program that the policy names.
    #[serde(default)]
    foreign: BTreeMap<String, Counts>,
    templates: Learner,
    largest: Top<LargeKey>,
    /// Of each type: the number of keys and their memory.
    types: [(u64, u64); 7],
    /// The number of keys that expire in each of [`SPANS`], and later.
    expiries: [u64; SPANS.len() + 1],
    compact: CompactLimits,
}

/// The most elements that a hash, a set and a zset have in a compact encoding. `None` if that is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct CompactLimits {
    hash: Option<u64>,
    set: Option<u64>,
    zset: Option<u64>,
}

/// An audit counts the keys of each node.
impl Visitor for Schemas {
    type Counts = Tally;

    const WITHOUT_RESUME: Option<&'static str> =
        Some("with `--resume FILE`, the audit can be interrupted and go on later");

    const IS_USEFUL_IN_PART: bool = true;

    fn schemas(&self) -> &Self {
        self
    }

    fn probes(&self, facts: &Facts) -> Probes {
        let frequency = facts.maxmemory_policy.as_ref().is_some_and(|policy| policy.ends_with("lfu"));
        Probes {
            memory: true,
            length: true,
            encoding: true,
            frequency,
            members: true,
            last_use: false,
            digest: false,
            hyperloglog: true,
            values: false,
            hot_keys: facts.has_hot_keys(),
        }
    }

    fn counts(&self, facts: &Facts) -> Tally {
        Tally::new(facts)
    }

    fn first_look(&self, tally: &mut Tally, look: &FirstLook<'_>) -> bool {
        tally.first_look(self, look);
        tally.needs_second_look(self, look)
    }

    fn second_look(
        &self,
        tally: &mut Tally,
        _node: &str,
        look: &FirstLook<'_>,
        second: &SecondLook,
    ) -> Result<(), Failure> {
        tally.second_look(self, look, second);
        Ok(())
    }
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

    /// Counts a key.
    pub(crate) fn first_look(&mut self, schemas: &Schemas, look: &FirstLook<'_>) {
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
        if let (None, Some(program)) = (look.declaration, schemas.foreign(look.key)) {
            let counts = self.foreign.entry(program.to_owned()).or_default();
            counts.add(look);
            if look.expiry == Expiry::Never {
                counts.found(FindingId::ForeignNoExpiry, look, bytes);
            }
            return;
        }
        let legacy = look.declaration.and_then(|index| schemas.legacy_name(look.key, index));
        let counts = self.counts(look.declaration);
        counts.add(look);
        if let Some(name) = legacy {
            counts.add_legacy(look, schemas.objection(look.key, name));
        }
        if let Some(limits) = look.declaration.and_then(|index| schemas.declared(index)) {
            judge_declared(counts, schemas, limits, look);
        } else {
            judge_unknown(counts, schemas, look);
            self.templates.add(look);
        }
    }

    /// Whether a key needs a second look. It is asked after the first look at the same key, and before that at the next
    /// one.
    ///
    /// Those need one that could break a limit according to their memory (an element has two bytes at least), lists,
    /// whose memory is a guess, and a sample.
    fn needs_second_look(&self, schemas: &Schemas, look: &FirstLook<'_>) -> bool {
        let limits = schemas.limits(look.declaration, look.redis_type);
        if look.declaration.is_none() && schemas.foreign(look.key).is_some() {
            return false;
        }
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
    fn second_look(&mut self, schemas: &Schemas, look: &FirstLook<'_>, second: &SecondLook) {
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
        let most = limits.max_bytes.or(limits.max_len);
        let size = if limits.max_bytes.is_some() { FindingId::BigValue } else { FindingId::BigCollection };
        match (second.length, most) {
            (Some(length), Some(most)) if length > most => counts.found(size, look, length),
            (None, Some(_)) if look.memory.is_some_and(|memory| limits.is_exceeded_by_string(look.key, memory)) => {
                counts.measured_by_memory += 1;
                counts.found(size, look, look.memory.unwrap_or(0));
            }
            (None, Some(_)) if look.memory.is_none_or(|memory| limits.may_be_exceeded(memory)) => {
                counts.unmeasured += 1;
            }
            _ => {}
        }
        if let Some(bytes) =
            second.largest_member.filter(|bytes| limits.max_member_bytes.is_some_and(|most| *bytes > most))
        {
            counts.found(FindingId::BigMember, look, bytes);
        }
        if limits.is_hyperloglog && second.is_hyperloglog == Some(false) {
            counts.found(FindingId::WrongType, look, look.memory.unwrap_or(0));
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

    /// Adds the counts of another node.
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
        add_pairs(&mut self.types, &other.types);
        self.expiries.iter_mut().zip(other.expiries).for_each(|(keys, other)| *keys += other);
    }

    /// The number of keys and their memory.
    pub(crate) fn total(&self) -> (u64, u64) {
        let mut total = (0, 0);
        self.types.iter().for_each(|pair| add(&mut total, *pair));
        total
    }

    /// The keys of a declaration.
    pub(crate) fn declared(&self, index: usize) -> Option<&Counts> {
        self.declared.get(index)
    }

    /// The keys without declaration.
    pub(crate) fn unknown(&self) -> &Counts {
        &self.unknown
    }

    /// The keys of other programs, by their names.
    pub(crate) fn foreign(&self) -> impl Iterator<Item = (&str, &Counts)> {
        self.foreign.iter().map(|(program, counts)| (program.as_str(), counts))
    }

    /// The templates of the keys without declaration.
    pub(crate) fn templates(&self) -> Vec<InferredTemplate> {
        self.templates.templates()
    }

    /// The largest keys, the largest first.
    pub(crate) fn largest(&self) -> &[LargeKey] {
        self.largest.items()
    }

    /// Of each type: its name, the number of keys and their memory.
    pub(crate) fn types(&self) -> impl Iterator<Item = (&'static str, u64, u64)> {
        let types = RedisType::ALL.iter().zip(&self.types);
        types.map(|(redis_type, (keys, bytes))| (redis_type.name(), *keys, *bytes)).filter(|(_, keys, _)| *keys > 0)
    }

    /// The number of keys that expire in each of [`SPANS`], and later.
    pub(crate) fn expiries(&self) -> &[u64; SPANS.len() + 1] {
        &self.expiries
    }

    /// The keys of a declaration, or the unknown ones.
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

/// Judges the first look at a declared key.
fn judge_declared(counts: &mut Counts, schemas: &Schemas, limits: &Limits, look: &FirstLook<'_>) {
    let bytes = look.memory.unwrap_or(0);
    if look.redis_type != limits.redis_type {
        counts.found(FindingId::WrongType, look, bytes);
    }
    match look.expiry {
        Expiry::Never if limits.lifetime_ms.is_some() => counts.found(FindingId::NoExpiry, look, bytes),
        Expiry::In(left) if limits.is_too_long(schemas.template_text(look.key), left, SystemTime::now) => {
            counts.found(FindingId::LongExpiry, look, left);
        }
        _ => {}
    }
}

/// Judges the first look at a key without declaration.
fn judge_unknown(counts: &mut Counts, schemas: &Schemas, look: &FirstLook<'_>) {
    let bytes = look.memory.unwrap_or(0);
    counts.found(FindingId::UnknownKey, look, bytes);
    counts.behind_a_prefix += u64::from(schemas.finds_legacy_behind_a_prefix(look.key));
    if look.expiry == Expiry::Never {
        counts.found(FindingId::NoExpiry, look, bytes);
    }
    match name::kind_of(look.key, schemas.namespace.as_deref()) {
        None => counts.found(FindingId::BadName, look, bytes),
        Some(kind) if !look.redis_type.is(kind) => counts.found(FindingId::WrongType, look, bytes),
        Some(_) => {}
    }
}

fn add(pair: &mut (u64, u64), other: (u64, u64)) {
    *pair = (pair.0 + other.0, pair.1 + other.1);
}

fn add_pairs(pairs: &mut [(u64, u64)], others: &[(u64, u64)]) {
    pairs.iter_mut().zip(others).for_each(|(pair, other)| add(pair, *other));
}
