//! Labels that are names of one family, although their words belong to no parameter.

use std::collections::BTreeMap;

use super::label::{begins_with_name, content, has_text, is_of_address, is_of_texts, is_text, separator, text_label};
use super::node::Node;
use super::split_labels::are_many;
use crate::operate::infer::mask::{MARK, form, is_separator, is_strong, pure_form};
use crate::operate::infer::thresholds::{alike, is_rare, is_share, many_kinds, many_words, rare};

impl Node {
    /// Joins labels that differ in their first word only, and then are text or random: `green-{text}`, `tea-{text}` and
    /// many more are names. No program has so many kinds of keys that are alike.
    pub(super) fn join_first_words(&mut self) {
        let mut names = BTreeMap::<String, Vec<(String, Vec<u64>)>>::new();
        for label in self.labels(|label, _| begins_with_name(label)) {
            let shapes = self.children.get(&label).map(|child| child.shapes(false)).unwrap_or_default();
            names.entry(text_label(separator(&label))).or_default().push((label, shapes));
        }
        for (text, mut labels) in names {
            let mut supports = BTreeMap::<u64, usize>::new();
            labels.iter().flat_map(|(_, shapes)| shapes).for_each(|shape| *supports.entry(*shape).or_default() += 1);
            // Few keys of a name show only a part of the text that can follow.
            let is_common = |shape: &u64| supports.get(shape).is_some_and(|labels| are_many(*labels));
            labels.retain(|(_, shapes)| shapes.iter().all(is_common));
            let count = labels.len();
            let is_shared = |support: &usize| is_share(*support, count, alike());
            if count as u64 >= many_kinds() && supports.values().any(is_shared) {
                self.join(&text, labels.iter().map(|(label, _)| label));
            }
        }
    }

    /// Joins rare labels, and labels of several texts, with a label that has the same text around a parameter, and that
    /// goes on in the same way.
    pub(super) fn join_members(&mut self) {
        let mark = text_label("");
        let is_family = |label: &str| pure_form(label).is_none() && label.matches(&mark).count() == 1;
        let is_word = |sign: char| sign.is_alphanumeric() || is_separator(sign);
        self.join_to_each(is_family, |(family, node), (label, child)| {
            let (start, end) = family.split_once(&mark).unwrap_or_default();
            let text = label.strip_prefix(start).and_then(|label| label.strip_suffix(end)).unwrap_or_default();
            let word = text.replace(&mark, "");
            let is_rare = is_rare(child.keys, node.keys, rare()) && word.contains(char::is_alphanumeric);
            (is_rare && word.chars().all(is_word) || text != mark && is_of_texts(text))
                && (child.is_like(node) || child.keys == 1 && child.is_perhaps_like(node))
        });
    }

    /// Makes text of segments that are a text and a number, such as `AB-1234`.
    pub(super) fn join_numbered_texts(&mut self) {
        let number = format!("{MARK}{}", form::INTEGER);
        let is_numbered = |label: &str| {
            let is_segment = label.bytes().next().is_some_and(is_strong);
            is_segment && content(label).starts_with(&text_label("")) && is_of_texts(label) && label.contains(&number)
        };
        for label in self.labels(|label, _| is_numbered(label)) {
            if let Some(node) = self.children.get_mut(&label) {
                node.words = node.words.max(node.keys.min(many_words()));
            }
            self.join(&text_label(separator(&label)), [&label]);
        }
    }

    /// Joins labels of nothing but texts and numbers with the label that is text, if they go on as it does:
    /// `{text}_{text}` and `{text}{integer}` are names as well, and `{text}_{email}` is an address.
    pub(super) fn join_texts_of_words(&mut self) {
        let is_email = |label: &str| pure_form(label) == Some(form::EMAIL);
        self.join_to_each(
            |label| is_text(label) || is_email(label),
            |(text, node), (label, child)| {
                pure_form(label).is_none()
                    && separator(label) == separator(text)
                    && (if is_email(text) { is_of_address(label) } else { is_of_texts(label) }
                        || node.words >= many_kinds() && begins_with_name(label))
                    && child.is_like(node)
            },
        );
    }

    /// Joins rare labels with a parameter that is text and that goes on as they do: numbers and random values, and
    /// words that were not seen when the others were joined.
    pub(super) fn join_rare_labels(&mut self) {
        self.join_to_each(is_text, |(text, node), (label, child)| {
            let is_rare = match pure_form(label) {
                Some(form::TEXT | form::REST | form::UUID) => false,
                Some(_) => is_rare(child.keys, node.keys, rare()),
                None => node.words >= many_words() && child.keys <= many_words() && !has_text(label),
            };
            let shapes = node.shapes(false);
            is_rare
                && separator(label) == separator(text)
                && child.shapes(false).iter().all(|shape| shapes.binary_search(shape).is_ok())
        });
    }
}
