//! What was counted on one node.

use serde::{Deserialize, Serialize};

use super::facts::Facts;
use super::look::{FirstLook, SecondLook};

mod schemas;

pub(crate) use schemas::Schemas;

/// What was counted on one node. It can be saved, and merged with that of another node.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    keys: u64,
}

impl Tally {
    /// A tally of a node that says this about itself.
    pub(crate) fn new(_facts: &Facts) -> Self {
        Self::default()
    }

    /// Counts a key. Returns the number of its declaration.
    pub(crate) fn first_look(&mut self, schemas: &Schemas, look: &FirstLook<'_>) -> Option<usize> {
        self.keys += 1;
        schemas.find(look.key)
    }

    /// Whether a key needs a second look. It is asked after the first look at the same key, and before that at the next one.
    pub(crate) fn needs_second_look(
        &self,
        _schemas: &Schemas,
        _look: &FirstLook<'_>,
        _declaration: Option<usize>,
    ) -> bool {
        false
    }

    /// Counts what the second look found.
    pub(crate) fn second_look(
        &mut self,
        _schemas: &Schemas,
        _look: &FirstLook<'_>,
        _declaration: Option<usize>,
        _second: &SecondLook,
    ) {
    }

    /// Adds what was counted on another node.
    pub(crate) fn merge(&mut self, other: Self) {
        self.keys += other.keys;
    }
}
