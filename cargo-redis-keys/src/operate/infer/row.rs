//! Counts of the keys with one mask.

use serde::{Deserialize, Serialize};

use super::mask::Observation;
use crate::operate::server::scan::{Expiry, FirstLook};
use crate::operate::stats::{Histogram, ValueForms};
use crate::render::KeyText;

/// The bytes of a bucket of a histogram.
const BUCKET: usize = 8;

/// Counts of the keys with one mask or template and one type, which either all expire or all do not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) keys: u64,
    /// Their memory.
    pub(crate) bytes: u64,
    /// The milliseconds until the first and the last key expires.
    pub(crate) expiry: Option<(u64, u64)>,
    /// Each key's memory, if known.
    pub(crate) sizes: Histogram,
    /// The elements, or the bytes of a string, of keys that were asked for it.
    pub(crate) lengths: Histogram,
    /// The bytes that the largest element has at least, about.
    #[serde(default)]
    pub(crate) largest_member: u64,
    /// The forms of the values that were read.
    #[serde(default)]
    pub(crate) values: ValueForms,
    /// The largest key, and its memory.
    pub(crate) example: (u64, KeyText),
    /// Each mark's values.
    pub(super) observed: Vec<Observation>,
}

impl Row {
    /// A row of one key.
    pub(super) fn of(look: &FirstLook<'_>, observed: Vec<Observation>) -> Self {
        let mut row = Self {
            keys: 0,
            bytes: 0,
            expiry: None,
            sizes: Histogram::default(),
            lengths: Histogram::default(),
            largest_member: 0,
            values: ValueForms::default(),
            example: (look.memory.unwrap_or(0), KeyText::new(look.key)),
            observed: Vec::new(),
        };
        row.add(look, &observed);
        row.observed = observed;
        row
    }

    /// Counts a key. Returns the bytes of memory that the row takes in addition.
    pub(super) fn add(&mut self, look: &FirstLook<'_>, observed: &[Observation]) -> usize {
        let buckets = self.sizes.buckets();
        let bytes = look.memory.unwrap_or(0);
        self.keys += 1;
        self.bytes += bytes;
        if let Some(bytes) = look.memory {
            self.sizes.add(bytes);
        }
        if let Expiry::In(left) = look.expiry {
            self.add_expiry((left, left));
        }
        let (largest, key) = &self.example;
        if bytes > *largest || (bytes == *largest && look.key < key.bytes()) {
            self.example = (bytes, KeyText::new(look.key));
        }
        self.add_observed(observed);
        BUCKET * (self.sizes.buckets() - buckets)
    }

    /// Adds the counts of another row of the same template.
    pub(super) fn merge(&mut self, other: Self) {
        self.keys += other.keys;
        self.bytes += other.bytes;
        if let Some(expiry) = other.expiry {
            self.add_expiry(expiry);
        }
        self.sizes.merge(&other.sizes);
        self.lengths.merge(&other.lengths);
        self.largest_member = self.largest_member.max(other.largest_member);
        self.values = self.values.and(other.values);
        let is_larger = other.example.0 > self.example.0;
        if is_larger || (other.example.0 == self.example.0 && other.example.1 < self.example.1) {
            self.example = other.example;
        }
        self.add_observed(&other.observed);
    }

    /// The bytes of memory that this row takes, about.
    pub(super) fn weight(&self) -> usize {
        let words = self.observed.iter().map(|observed| observed.words.few().map_or(0, |words| 64 * words.len()));
        600 + 160 * self.observed.len()
            + words.sum::<usize>()
            + BUCKET * (self.sizes.buckets() + self.lengths.buckets())
    }

    fn add_expiry(&mut self, (first, last): (u64, u64)) {
        let known = self.expiry.get_or_insert((first, last));
        *known = (known.0.min(first), known.1.max(last));
    }

    fn add_observed(&mut self, observed: &[Observation]) {
        self.observed.iter_mut().zip(observed).for_each(|(known, observed)| known.merge(observed));
    }
}
