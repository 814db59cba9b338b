//! The keys of servers that no declaration has, read in a bounded amount of memory.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::operate::infer::Learner;
use crate::operate::server::facts::Facts;
use crate::operate::server::scan::{FirstLook, Probes, SecondLook, Visitor};
use crate::operate::server::schemas::Schemas;
use crate::render::KeyText;

/// One in this many keys is asked for its length, and each with this memory.
const SAMPLE: u64 = 64;
const LARGE: u64 = 4_096;

/// The values of the first keys of each kind are read, if any are.
const VALUES: u64 = 5;

/// The number of keys that are kept to try a draft on.
const KEPT: usize = 2_000;

/// A scan for keys without a declaration.
pub(crate) struct CensusVisitor {
    pub(crate) schemas: Schemas,
    /// Whether some values of each kind are read.
    pub(crate) with_values: bool,
}

/// The keys of a node that have no declaration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Census {
    pub(crate) learner: Learner,
    /// The number of keys that have a declaration.
    pub(crate) declared: u64,
    pub(crate) undeclared: u64,
    /// The number of keys of each other program that the policy names.
    pub(crate) foreign: BTreeMap<String, u64>,
    pub(crate) kept: KeptKeys,
}

/// Some of the keys, which do not depend on their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct KeptKeys(BTreeMap<u64, KeyText>);

impl Visitor for CensusVisitor {
    type Counts = Census;

    const IS_USEFUL_IN_PART: bool = true;

    const NEEDS_TYPES: bool = false;

    fn schemas(&self) -> &Schemas {
        &self.schemas
    }

    fn probes(&self, _facts: &Facts) -> Probes {
        Probes { memory: true, length: true, values: self.with_values, members: self.with_values, ..Probes::default() }
    }

    fn first_look(&self, census: &mut Census, look: &FirstLook<'_>) -> bool {
        if look.declaration.is_some() {
            census.declared += 1;
            return false;
        }
        if let Some(program) = self.schemas.foreign.find(look.key) {
            *census.foreign.entry(program.to_owned()).or_default() += 1;
            return false;
        }
        let keys = census.add(look);
        let is_sampled = look.memory.is_none_or(|memory| memory >= LARGE) || census.undeclared % SAMPLE == 1;
        is_sampled || self.with_values && keys <= VALUES
    }

    fn second_look(
        &self,
        census: &mut Census,
        _: &str,
        look: &FirstLook<'_>,
        second: &SecondLook,
    ) -> Result<(), Failure> {
        if let Some(length) = second.length {
            census.learner.add_length(look, length);
        }
        if let Some(bytes) = second.largest_member {
            census.learner.add_member(look, bytes);
        }
        census.learner.add_values(look, second.values);
        Ok(())
    }
}

impl Census {
    /// Counts a key without a declaration. Returns the number of keys that look like it.
    pub(crate) fn add(&mut self, look: &FirstLook<'_>) -> u64 {
        self.undeclared += 1;
        self.kept.add(look.key);
        self.learner.add(look)
    }

    /// Adds another node's keys.
    pub(crate) fn merge(&mut self, other: Self) {
        self.learner.merge(other.learner);
        self.declared += other.declared;
        self.undeclared += other.undeclared;
        for (program, keys) in other.foreign {
            *self.foreign.entry(program).or_default() += keys;
        }
        for (hash, key) in other.kept.0 {
            self.kept.insert(hash, || key);
        }
    }
}

impl KeptKeys {
    fn add(&mut self, key: &[u8]) {
        let mut hasher = DefaultHasher::new();
        key.hash(&mut hasher);
        self.insert(hasher.finish(), || KeyText::new(key));
    }

    /// Keeps a key if its hash is among the smallest.
    fn insert(&mut self, hash: u64, key: impl FnOnce() -> KeyText) {
        if self.0.len() < KEPT || self.0.last_key_value().is_some_and(|(last, _)| hash < *last) {
            self.0.insert(hash, key());
            if self.0.len() > KEPT {
                self.0.pop_last();
            }
        }
    }

    /// The keys that are there as a whole.
    pub(crate) fn whole(&self) -> impl Iterator<Item = &[u8]> {
        self.0.values().filter_map(KeyText::whole)
    }
}
