//! What `cargo redis-keys values` predicts for a change of a value's type, beside what the stored forms really do.
//!
//! Each change is a pair of types. Their shapes are traced, the rules predict what happens to values of one that are
//! read as the other, and many values are stored and read for comparison.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

mod by_hand;
#[macro_use]
mod checks;
mod changes;
mod forms;
mod held_out;
mod observed;
mod releases;

/// What the pairs of types need.
#[allow(unreachable_pub, reason = "the pairs are in modules of their own")]
mod types {
    pub use std::collections::{BTreeMap, BTreeSet};

    pub use serde::{Deserialize, Serialize};

    pub type Instant = chrono::DateTime<chrono::Utc>;
}

/// The changes on which the rules were developed.
#[test]
fn known_changes_are_predicted() {
    let mut checks = checks::Checks::default();
    changes::run(&mut checks);
    checks.finish("known", 71, 2);
}

/// Changes that had no part in the development of the rules.
#[test]
fn held_out_changes_are_predicted() {
    let mut checks = checks::Checks::default();
    held_out::run(&mut checks);
    checks.finish("held out", 31, 2);
}
