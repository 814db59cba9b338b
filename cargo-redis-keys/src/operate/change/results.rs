//! The results for a plan's keys.

use std::collections::BTreeMap;

use serde::Serialize;

use super::plan::{KeyBytes, PlannedKey};
use crate::operate::masking::Masking;
use crate::render::KeyText;

/// The most keys that are named among the keys that stay.
const EXAMPLES: usize = 100;

/// The result for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KeyOutcome {
    Done,
    /// It was gone already.
    Gone,
    /// An earlier run has given it its expiry or its name.
    Already,
    /// It is not as planned any more, and stays.
    Changed(&'static str),
    /// A plan that was made now would not contain it, and it stays.
    NotSelected(&'static str),
    /// A use may not have been noted, and it stays.
    Uncertain(&'static str),
    /// The server refuses it, and says why.
    Refused(String),
}

/// The results for a plan's keys.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Results {
    /// The number of keys that were changed, and their memory before.
    pub(super) done: u64,
    pub(super) bytes: u64,
    /// The number of keys that were gone already.
    pub(super) gone: u64,
    /// The number of keys that have their expiry or their name from an earlier run.
    pub(super) already: u64,
    /// The number of keys that are not as planned any more, and stay.
    pub(super) changed_since: u64,
    /// The number of keys that stay because a use may not have been noted.
    pub(super) uncertain: u64,
    /// The number of keys that a plan made now would not contain, and that stay.
    pub(super) not_selected: u64,
    /// The number of large collections that were removed only in part, because the run was interrupted.
    pub(super) begun: u64,
    /// The number of keys that the server refuses to change.
    pub(super) refused: u64,
    /// The number of keys that were removed without a check whether they were used since the plan.
    pub(super) last_use_unknown: u64,
    /// The uses of keys that were not checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) not_checked: Vec<String>,
    /// The text in place of the declaration of keys that have none.
    #[serde(skip)]
    pub(super) without_declaration: &'static str,
    /// The changed keys by declaration.
    pub(super) declarations: BTreeMap<String, Count>,
    /// Some of the keys that stay.
    pub(super) stay: Vec<RemainingKey>,
}

/// The number of keys of a declaration that were changed, and their memory before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Count {
    pub(super) keys: u64,
    pub(super) bytes: u64,
}

/// A key that stays, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct RemainingKey {
    pub(super) key: KeyBytes,
    pub(super) why: String,
}

impl Results {
    /// Adds the result for a key.
    pub(super) fn add(&mut self, key: &PlannedKey, outcome: KeyOutcome) {
        let (counter, why) = match outcome {
            KeyOutcome::Done => {
                let bytes = key.bytes.unwrap_or(0);
                self.bytes = self.bytes.saturating_add(bytes);
                let count = self.declarations.entry(key.declaration.clone().unwrap_or_default()).or_default();
                (count.keys, count.bytes) = (count.keys + 1, count.bytes.saturating_add(bytes));
                (&mut self.done, None)
            }
            KeyOutcome::Gone => (&mut self.gone, None),
            KeyOutcome::Already => (&mut self.already, None),
            KeyOutcome::Changed(why) => (&mut self.changed_since, Some(why.to_owned())),
            KeyOutcome::Uncertain(why) => (&mut self.uncertain, Some(why.to_owned())),
            KeyOutcome::NotSelected(why) => (&mut self.not_selected, Some(why.to_owned())),
            KeyOutcome::Refused(why) => (&mut self.refused, Some(why)),
        };
        *counter += 1;
        if let Some(why) = why.filter(|_| self.stay.len() < EXAMPLES) {
            self.stay.push(RemainingKey { key: key.key.clone(), why });
        }
    }

    /// Hides values and words of the keys that stay.
    pub(super) fn mask(&mut self, masking: &Masking) {
        for stay in &mut self.stay {
            stay.key = KeyBytes(masking.key(&KeyText::new(&stay.key.0)).bytes().to_vec());
        }
    }

    /// The number of keys that have a result.
    pub(super) fn ended(&self) -> u64 {
        self.done + self.gone + self.already + self.stay_count()
    }

    /// The number of keys that stay.
    pub(super) fn stay_count(&self) -> u64 {
        self.changed_since + self.uncertain + self.not_selected + self.refused
    }
}
