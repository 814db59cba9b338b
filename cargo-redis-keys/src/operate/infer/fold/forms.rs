//! Labels that differ in a value's form by chance: digits among hexadecimal digits, and random values that look like
//! words.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::label::{SHAPE, forms, skeleton};
use super::node::Node;
use crate::operate::infer::mask::{MARK, form};
use crate::operate::infer::thresholds::{is_rare, random_keys, rare, shortest_random};

impl Node {
    /// Joins labels that differ only in their marks' forms, if one is a special case of the other.
    pub(super) fn join_forms(&mut self) {
        let mut groups = BTreeMap::<String, Vec<String>>::new();
        for label in self.labels(|label, _| label.contains(MARK) && !label.starts_with(SHAPE)) {
            groups.entry(skeleton(&label)).or_default().push(label);
        }
        for mut labels in groups.into_values().filter(|labels| labels.len() > 1) {
            labels.sort_by_key(|label| Reverse(self.children.get(label).map_or(0, |child| child.keys)));
            let mut labels = labels.into_iter();
            let Some(mut main) = labels.next() else { continue };
            for other in labels {
                let (Some(one), Some(two)) = (self.children.get(&main), self.children.get(&other)) else { continue };
                if let Some(joined) = general_label(&main, &other, one.keys, two.keys).filter(|_| two.is_like(one)) {
                    self.join(&joined, [&main, &other]);
                    main = joined;
                }
            }
        }
        self.join_to_each(is_random, |(main, node), (label, child)| child.is_value_of(label, main, node));
    }

    /// Whether this label could be a random value in the place of another label's value.
    fn is_value_of(&self, label: &str, main: &str, node: &Self) -> bool {
        random_marks(main).any(|(place, form)| {
            let (start, end) = (main.get(..place).unwrap_or_default(), main.get(place + 2..).unwrap_or_default());
            let value = label.strip_prefix(start).and_then(|label| label.strip_suffix(end));
            value.is_some_and(|value| self.is_random_value(value, form, start.len() + end.len(), node))
        })
    }

    /// Whether a part of the label could be a value of this form, beside other text of this length.
    fn is_random_value(&self, value: &str, form: char, other_bytes: usize, node: &Self) -> bool {
        let (Some(mine), Some(lengths)) = (self.lengths, node.lengths) else { return false };
        if node.keys < random_keys() {
            return false;
        }
        if form == form::DOMAIN {
            // A domain has no digits that tell it from words, but it has a dot.
            return ends_like_domain(value) && self.is_perhaps_like(node);
        }
        u64::from(mine.0) >= other_bytes as u64 + shortest_random()
            && (self.keys == 1 || is_rare(self.keys, node.keys, rare()))
            && mine.0 <= lengths.1
            && mine.1 >= lengths.0
            && value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+' | b'=' | 1))
            && self.is_like(node)
    }
}

/// The label for the values of two labels with the same skeleton, if the second label's values may only look special by
/// chance.
fn general_label(main: &str, other: &str, main_keys: u64, other_keys: u64) -> Option<String> {
    let mut joined = String::with_capacity(main.len());
    let mut others = forms(other);
    let mut signs = main.chars();
    while let Some(sign) = signs.next() {
        joined.push(sign);
        if sign == MARK {
            joined.push(general_form(signs.next()?, others.next()?, main_keys, other_keys)?);
        }
    }
    Some(joined)
}

/// The form of all values of two forms, the second of which is rarer.
fn general_form(one: char, other: char, one_keys: u64, other_keys: u64) -> Option<char> {
    match (one, other) {
        _ if one == other => Some(one),
        (form::RANDOM | form::BASE64, form::RANDOM | form::BASE64) => Some(form::BASE64),
        // Digits that could be a date.
        (form::INTEGER, 'E' | 'N' | 'H' | 'I' | 'S') if is_rare(other_keys, one_keys, rare()) => Some(one),
        (form::HEX, form::INTEGER | 'E' | 'N' | 'H' | 'I' | 'S')
        | (form::RANDOM | form::BASE64, form::INTEGER | form::HEX | form::ULID)
            if is_rare(other_keys, one_keys, rare()) =>
        {
            Some(one)
        }
        _ => None,
    }
}

/// Whether a part of a label is a random value.
fn is_random(label: &str) -> bool {
    // Hexadecimal digits beside other values could be anything.
    forms(label).next().is_some_and(|form| label.matches(MARK).count() == 1 || form != form::HEX)
        && random_marks(label).next().is_some()
}

/// The places and the forms of the marks of a label that can stand for random values.
fn random_marks(label: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let places = label.match_indices(MARK).map(|(place, _)| place);
    places
        .zip(forms(label))
        .filter(|(_, form)| [form::RANDOM, form::BASE64, form::HEX, form::EMAIL, form::DOMAIN].contains(form))
}

/// Whether a text ends like a domain: with a country, in most cases.
fn ends_like_domain(text: &str) -> bool {
    let is_end = |end: &str| (2..=3).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | 1);
    text.bytes().all(is_part) && text.rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && is_end(end))
}
