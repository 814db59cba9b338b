//! The heaviest keys of many.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::render::KeyText;

/// Something about a key, by which keys are compared.
pub(crate) trait TopItem {
    /// The measure by which the largest are kept.
    fn weight(&self) -> u64;

    /// The key, which is kept once.
    fn key(&self) -> &KeyText;
}

/// The heaviest keys of many, the heaviest first. Of equal ones the first in the order of the alphabet are kept, so
/// that the order in which they come does not matter.
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

    /// Adds the keys of another one.
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
