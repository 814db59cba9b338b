//! What came of the keys of a plan.

use std::collections::BTreeMap;

use serde::Serialize;

use super::plan::{KeyBytes, PlannedKey};

/// How many keys are named of those that stay.
const EXAMPLES: usize = 100;

/// What came of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    /// It was gone already.
    Gone,
    /// An earlier run has given it its expiry.
    Already,
    /// It is not as planned any more, and stays.
    Changed(&'static str),
    /// The server refuses it, and says why.
    Refused(String),
}

/// What came of the keys of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Results {
    /// How many keys were changed, and their memory before.
    pub(super) done: u64,
    pub(super) bytes: u64,
    /// How many keys were gone already.
    pub(super) gone: u64,
    /// How many keys have their expiry from an earlier run.
    pub(super) already: u64,
    /// How many keys are not as planned any more, and stay.
    pub(super) changed_since: u64,
    /// How many large collections were removed only in part, because the run was interrupted.
    pub(super) begun: u64,
    /// How many keys the server refuses to change.
    pub(super) refused: u64,
    /// How many keys were removed without a check whether they were used since the plan.
    pub(super) last_use_unknown: u64,
    /// The changed keys by declaration.
    pub(super) declarations: BTreeMap<String, Count>,
    /// Some of the keys that stay.
    pub(super) stay: Vec<Stay>,
}

/// How many keys of a declaration were changed, and their memory before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Count {
    pub(super) keys: u64,
    pub(super) bytes: u64,
}

/// A key that stays, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Stay {
    pub(super) key: KeyBytes,
    pub(super) why: String,
}

impl Results {
    /// Adds what came of a key.
    pub(super) fn add(&mut self, key: &PlannedKey, outcome: Outcome) {
        let why = match outcome {
            Outcome::Done => {
                let bytes = key.bytes.unwrap_or(0);
                self.done += 1;
                self.bytes = self.bytes.saturating_add(bytes);
                let count = self.declarations.entry(key.declaration.clone().unwrap_or_default()).or_default();
                (count.keys, count.bytes) = (count.keys + 1, count.bytes.saturating_add(bytes));
                return;
            }
            Outcome::Gone => {
                self.gone += 1;
                return;
            }
            Outcome::Already => {
                self.already += 1;
                return;
            }
            Outcome::Changed(why) => {
                self.changed_since += 1;
                why.to_owned()
            }
            Outcome::Refused(why) => {
                self.refused += 1;
                why
            }
        };
        if self.stay.len() < EXAMPLES {
            self.stay.push(Stay { key: key.key.clone(), why });
        }
    }

    /// Whether all keys are as the plan wants them.
    pub(super) fn are_fine(&self) -> bool {
        self.changed_since == 0 && self.refused == 0
    }
}
