//! The tree of labels.

use std::collections::BTreeMap;

use super::label::{SHAPE, is_text};
use super::{Masks, Place};
use crate::operate::infer::mask::{MARK, Observation, is_strong, split};

/// The masks that begin alike.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) children: BTreeMap<String, Node>,
    /// The indexes of the masks that end here.
    pub(super) rows: Vec<usize>,
    /// A bit for each type of these masks.
    pub(super) kinds: u8,
    /// The number of keys here and below.
    pub(super) keys: u64,
    /// The number of words that were joined to this node's label.
    pub(super) words: u64,
    /// The number of different words that an earlier fold has joined, if they are few.
    pub(super) few_words: Option<u64>,
    /// The bytes of the shortest and of the longest text of the label.
    pub(super) lengths: Option<(u32, u32)>,
    /// The separator of the segments for which the label stands, if they are several.
    pub(super) separator_of_path: Option<char>,
    /// Whether few words were joined because they are names of something for sure.
    pub(super) are_values: bool,
}

impl Node {
    pub(super) fn insert(&mut self, index: usize, mask: &Masks<'_>) {
        let mut observed = mask.observed.iter();
        let mut node = self;
        node.keys += mask.keys;
        for label in split(mask.text, is_strong) {
            let marks = label.matches(MARK).count();
            let values: Vec<_> = observed.by_ref().take(marks).collect();
            let label_observed =
                Observation::joined(label.get(2 * marks..).unwrap_or_default(), values.iter().copied());
            node = node.child(label);
            node.keys += mask.keys;
            node.add_lengths((label_observed.shortest, label_observed.longest));
            if is_text(label) {
                // Words that an earlier fold has joined, or bytes that are no text.
                let few = values.first().and_then(|value| value.words.few()).map(|words| words.len() as u64);
                node.few_words = if node.words == 0 { few } else { node.few_words.max(few).filter(|_| few.is_some()) };
                node.words = node.words.max(mask.keys.min(100));
            }
        }
        node.rows.push(index);
        node.kinds |= 1 << mask.kind;
    }

    pub(super) fn child(&mut self, label: &str) -> &mut Self {
        if !self.children.contains_key(label) {
            self.children.insert(label.to_owned(), Self::default());
        }
        self.children.entry(label.to_owned()).or_default()
    }

    fn add_lengths(&mut self, (shortest, longest): (u32, u32)) {
        let known = self.lengths.get_or_insert((shortest, longest));
        *known = (known.0.min(shortest), known.1.max(longest));
    }

    pub(super) fn merge(&mut self, other: Self) {
        for (label, child) in other.children {
            match self.children.get_mut(&label) {
                Some(known) => known.merge(child),
                None => drop(self.children.insert(label, child)),
            }
        }
        self.rows.extend(other.rows);
        self.kinds |= other.kinds;
        self.keys += other.keys;
        self.few_words = self.few_words.map(|few| few + other.few_words.unwrap_or(other.words));
        self.words += other.words;
        self.separator_of_path = self.separator_of_path.or(other.separator_of_path);
        self.are_values |= other.are_values;
        if let Some(lengths) = other.lengths {
            self.add_lengths(lengths);
        }
    }

    /// Joins labels to a label, which can be one of them, and folds the text behind it.
    pub(super) fn join<'l>(&mut self, into: &str, labels: impl IntoIterator<Item = &'l String>) {
        let mut joined = self.children.remove(into).unwrap_or_default();
        for label in labels {
            if let Some(child) = self.children.remove(label) {
                let words = if is_text(into) { child.words.max(1) } else { child.words };
                joined.merge(Self { words, ..child });
            }
        }
        joined.fold(Place::behind(into));
        self.children.insert(into.to_owned(), joined);
    }

    /// Joins labels to each of some others that they belong to. The test gets both, the other label first.
    pub(super) fn join_to_each(
        &mut self,
        is_target: impl Fn(&str) -> bool,
        belongs: impl Fn((&str, &Self), (&str, &Self)) -> bool,
    ) {
        for target in self.labels(|label, _| is_target(label)) {
            let Some(node) = self.children.get(&target) else { continue };
            let labels = self.labels(|label, child| label != target && belongs((&target, node), (label, child)));
            if !labels.is_empty() {
                self.join(&target, &labels);
            }
        }
    }

    /// The labels for which this is true.
    pub(super) fn labels(&self, is_such: impl Fn(&str, &Self) -> bool) -> Vec<String> {
        self.children.iter().filter(|(label, child)| is_such(label, child)).map(|(label, _)| label.clone()).collect()
    }

    /// A bit for each type of the keys here and below.
    pub(super) fn types(&self) -> u8 {
        self.children.values().fold(self.kinds, |types, child| types | child.types())
    }

    /// Makes this node the end of all masks that end at another node and below.
    pub(super) fn merge_rows(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.kinds |= other.kinds;
        other.children.into_values().for_each(|child| self.merge_rows(child));
    }

    /// Calls a function with each template, its masks' indexes, and whether a part of the template is values for
    /// sure.
    pub(super) fn collect(&self, path: &mut String, are_values: bool, found: &mut dyn FnMut(&str, &[usize], bool)) {
        let are_values = are_values || self.are_values;
        if !self.rows.is_empty() {
            found(path, &self.rows, are_values);
        }
        let length = path.len();
        for (label, child) in self.children.iter().filter(|(label, _)| !label.starts_with(SHAPE)) {
            path.push_str(label);
            child.collect(path, are_values, found);
            path.truncate(length);
        }
    }
}
