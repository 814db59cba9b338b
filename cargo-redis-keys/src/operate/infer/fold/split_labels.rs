//! Labels of several words as a tree of words: `session_{text}` instead of a label for each name.

use std::collections::{BTreeMap, BTreeSet};

use super::Place;
use super::label::{SHAPE, has_text, is_text};
use super::node::Node;
use super::shapes::shape_label;
use crate::operate::infer::mask::{MARK, is_weak, split};
use crate::operate::infer::thresholds::{covers_all, explained, few_labels, is_share};

/// Templates of labels, each with its labels' indexes.
type Templates = Vec<(String, Vec<usize>)>;

impl Node {
    /// Splits labels into words, if that describes them shorter. Remaining labels that begin with the same word are
    /// split at one separator, as in `room.{slug}.members`, where a slug's words are no words of the label.
    pub(super) fn split_labels(&mut self, place: Place) {
        let labels = self.labels(|label, _| !label.starts_with(SHAPE) && split(label, is_weak).nth(1).is_some());
        self.split_and_join(&labels, place, is_weak);
        for separator in separators(&labels) {
            let mut groups = BTreeMap::<&str, Vec<String>>::new();
            for label in labels.iter().filter(|label| self.children.contains_key(*label)) {
                let mut words = split(label, |byte| byte == separator);
                let first = words.next().unwrap_or_default();
                if words.next().is_some() {
                    groups.entry(first).or_default().push(label.clone());
                }
            }
            for labels in groups.into_values() {
                self.split_and_join(&labels, Place::BehindText, |byte| byte == separator);
            }
        }
    }

    /// Joins the labels that become one template of words.
    fn split_and_join(&mut self, labels: &[String], place: Place, is_separator: impl Fn(u8) -> bool + Copy) {
        if labels.len() > 1 {
            for (text, rows) in self.split_at(labels, place, is_separator) {
                self.join(&text, rows.iter().filter_map(|row| labels.get(*row)));
            }
        }
    }

    /// The labels as templates of their words, if these explain most of the changed text.
    fn split_at(&self, labels: &[String], place: Place, is_separator: impl Fn(u8) -> bool + Copy) -> Templates {
        let mut templates = Vec::new();
        let mut certain = BTreeSet::new();
        let mut words = self.words_of(labels, is_separator);
        words.fold(place);
        words.collect(&mut String::new(), false, &mut |text, rows, are_values| {
            templates.push((text.to_owned(), rows.to_vec()));
            if are_values {
                certain.insert(text.to_owned());
            }
        });
        let mut templates = with_joined_words(templates);
        let is_changed = |(text, rows): &(String, Vec<usize>)| {
            rows.len() > 1 || rows.iter().any(|row| labels.get(*row) != Some(text))
        };
        let changed: usize = templates.iter().filter(|template| is_changed(template)).map(|(_, rows)| rows.len()).sum();
        templates.retain(|(text, rows)| {
            let has_word = split(text, is_weak)
                .any(|word| !word.contains(MARK) && word.bytes().filter(u8::is_ascii_alphabetic).count() > 1);
            let is_sure = certain.contains(text)
                || are_many(rows.len()) && (has_word || is_share(rows.len(), labels.len(), covers_all()));
            has_text(text) && is_sure
        });
        let rows = templates.iter().map(|(_, rows)| rows.len()).sum();
        if is_share(rows, changed, explained()) { templates } else { Vec::new() }
    }

    /// The words of labels, with the shapes of the labels behind them.
    fn words_of(&self, labels: &[String], is_separator: impl Fn(u8) -> bool + Copy) -> Self {
        let mut words = Self::default();
        for (index, label) in labels.iter().enumerate() {
            let Some(child) = self.children.get(label) else { continue };
            let mut node = &mut words;
            node.keys += child.keys;
            for word in split(label, is_separator) {
                node = node.child(word);
                node.keys += child.keys;
            }
            node.rows.push(index);
            for shape in child.shapes(false) {
                node.child(&shape_label(shape)).keys += child.keys;
            }
        }
        words
    }
}

/// Templates of labels, in which templates that differ only in the number of words of their text are joined.
fn with_joined_words(templates: Templates) -> Templates {
    let mut joined = BTreeMap::<String, Templates>::new();
    for (text, rows) in templates {
        let mut short = String::new();
        let mut was_text = false;
        for word in split(&text, is_weak) {
            if !(was_text && is_text(word)) {
                short.push_str(word);
            }
            was_text = is_text(word);
        }
        joined.entry(short).or_default().push((text, rows));
    }
    let one = |(short, mut templates): (String, Templates)| match templates.len() {
        1 => templates.pop().unwrap_or_default(),
        _ => (short, templates.into_iter().flat_map(|(_, rows)| rows).collect()),
    };
    joined.into_iter().map(one).collect()
}

/// The separators that some labels have between their words, if they are several.
fn separators(labels: &[String]) -> Vec<u8> {
    let mut counts = BTreeMap::<u8, usize>::new();
    for label in labels {
        let signs: BTreeSet<_> = label.bytes().skip(1).filter(|byte| is_weak(*byte)).collect();
        for sign in signs {
            *counts.entry(sign).or_default() += 1;
        }
    }
    let are_several = counts.len() > 1;
    counts.into_iter().filter(|(_, labels)| are_several && are_many(*labels)).map(|(sign, _)| sign).collect()
}

/// Whether so many labels can be split.
pub(super) fn are_many(labels: usize) -> bool {
    labels as u64 >= few_labels()
}
