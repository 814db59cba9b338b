//! The decision which words are values of a parameter.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::Place;
use super::label::{SHAPE, content, has_text, is_numbered, is_text, separator, text_label};
use super::languages::{is_code, is_region_or_environment};
use super::node::Node;
use super::shapes::mixed;
use super::split_labels::are_many;
use crate::operate::infer::mask::{MARK, is_weak, pure_form, split};
use crate::operate::infer::thresholds::{
    alike, all_supports, is_share, many_frequent_words, many_rare_words, many_shapes, many_words, modules, own_shapes,
    rare_word_keys, several_words, support_part,
};

impl Node {
    /// Joins words that are values of a parameter, until there are no more.
    pub(super) fn join_words(&mut self, place: Place) {
        while let Some(labels) = self.parameter(place) {
            let label = parameter_label(&labels);
            if labels.iter().any(|label| label.ends_with("default")) {
                self.children.entry(label.clone()).or_default().are_values = true;
            }
            self.join(&label, &labels);
        }
    }

    /// The labels that are values of one parameter.
    fn parameter(&self, place: Place) -> Option<Vec<String>> {
        let is_word = |label: &str, keys: u64| {
            // A module whose name is followed by values is no value, if it has some keys.
            let is_module =
                place == Place::Modules && label.contains(MARK) && !is_numbered(label) && keys > many_words();
            !label.starts_with(SHAPE)
                && (is_text(label) || pure_form(label).is_none() && !is_module && !has_text(label))
        };
        let words: Vec<_> = self.children.iter().filter(|(label, child)| is_word(label, child.keys)).collect();
        let exact: Vec<_> = words.iter().map(|(label, child)| Word::new(label, child, false)).collect();
        parameter(&exact, Decision { place, are_blurred: false }).or_else(|| {
            // Few keys show only a part of the text that can follow.
            let rare = words.iter().filter(|(label, child)| child.keys <= many_words() || is_text(label));
            let blurred: Vec<_> = rare.map(|(label, child)| Word::new(label, child, true)).collect();
            parameter(&blurred, Decision { place, are_blurred: true })
        })
    }
}

/// A label that could be a value.
struct Word<'n> {
    label: &'n str,
    shapes: Vec<u64>,
    keys: u64,
    /// The number of words that it stands for.
    words: u64,
    /// The number of values that follow, if nothing else does.
    values_behind: usize,
    /// A bit for each type of its keys.
    types: u8,
}

impl<'n> Word<'n> {
    fn new(label: &'n str, node: &Node, are_blurred: bool) -> Self {
        // Words with different separators have nothing in common.
        let hash = mixed(0, separator(label).as_bytes());
        Self {
            label,
            shapes: node.shapes(are_blurred).into_iter().map(|shape| shape ^ hash).collect(),
            keys: node.keys,
            words: if is_text(label) { node.few_words.unwrap_or(node.words).max(1) } else { 1 },
            values_behind: values_below(node),
            types: node.types(),
        }
    }

    /// The keys of each word for each shape.
    fn keys_per_shape(&self) -> u64 {
        self.keys / (self.words * self.shapes.len().max(1) as u64)
    }
}

/// Finds the labels of words that are values of one parameter.
fn parameter(words: &[Word<'_>], decision: Decision) -> Option<Vec<String>> {
    let mut by_shape = BTreeMap::<u64, Vec<usize>>::new();
    for (index, word) in words.iter().enumerate() {
        word.shapes.iter().for_each(|shape| by_shape.entry(*shape).or_default().push(index));
    }
    let mut groups: Vec<_> = by_shape.into_iter().filter(|(_, words)| words.len() > 1).collect();
    groups.sort_by_key(|(shape, words)| (Reverse(words.len()), *shape));
    let mut tried = BTreeSet::new();
    groups.into_iter().filter(|(_, group)| tried.insert(group.clone())).find_map(|(_, group)| {
        let group: Vec<_> = group.iter().filter_map(|index| words.get(*index)).collect();
        let values = decision.values(&group).filter(|values| values.len() > 1)?;
        Some(values.iter().map(|word| word.label.to_owned()).collect())
    })
}

/// Some of the words.
type Words<'w, 'n> = Vec<&'w Word<'n>>;

/// The known facts about the place of words.
#[derive(Clone, Copy)]
struct Decision {
    place: Place,
    /// Whether the shapes are less than certain.
    are_blurred: bool,
}

impl Decision {
    /// The words that are values of a parameter. They have a shape in common.
    fn values<'w, 'n>(self, group: &[&'w Word<'n>]) -> Option<Words<'w, 'n>> {
        let mut supports = BTreeMap::<u64, usize>::new();
        for word in group {
            word.shapes.iter().for_each(|shape| *supports.entry(*shape).or_default() += 1);
        }
        supports.retain(|_, words| *words >= 2 && is_share(*words, group.len(), support_part()));
        let shares_most = |word: &&&Word<'_>| {
            let shared = word.shapes.iter().filter(|shape| supports.contains_key(shape)).count();
            // Further text behind can be values as well.
            let has_all = shared as u64 >= many_shapes()
                && is_share(shared, supports.len(), all_supports())
                && is_share(shared, word.shapes.len(), own_shapes());
            is_share(shared, word.shapes.len(), alike()) || has_all
        };
        let members: Words<'_, '_> = group.iter().filter(shares_most).copied().collect();
        if !self.are_blurred {
            let surrounded = self.surrounded(&members);
            if surrounded.is_some() {
                return surrounded;
            }
            if supports.len() as u64 >= many_shapes() {
                let enough = if self.place == Place::Modules { several_words() } else { 2 };
                return Some(members).filter(|members| members.len() as u64 >= enough);
            }
            // A value does not change the type, so words with the same types are no kinds.
            let types = members.first().map_or(0, |word| word.types);
            let have_types = types.count_ones() > 1 && members.iter().all(|word| word.types == types);
            if self.place != Place::Modules
                && have_types
                && supports.len() > 1
                && members.len() as u64 >= several_words()
            {
                return Some(members);
            }
        }
        self.known_names(&members).or_else(|| self.many(members))
    }

    /// Words that only values follow: numbered words such as hosts, and words with several values around them, because
    /// few programs have several kinds of such keys.
    fn surrounded<'w, 'n>(self, members: &Words<'w, 'n>) -> Option<Words<'w, 'n>> {
        let hosts = of(members, |word| is_numbered(word.label) && word.values_behind > 0 || is_text(word.label));
        if hosts.len() >= 2 {
            return Some(hosts);
        }
        let before = usize::from(self.place == Place::BehindValue);
        let between = of(members, |word| word.values_behind > 0 && word.values_behind + before >= 2);
        (self.place != Place::Modules && between.len() as u64 >= several_words()).then_some(between)
    }

    /// Words that are known as names: beside a default and beside priorities, regions, environments and codes.
    fn known_names<'w, 'n>(self, members: &Words<'w, 'n>) -> Option<Words<'w, 'n>> {
        let member = |name: &str| members.iter().find(|word| content(word.label) == name);
        let known = member("default").or_else(|| member("low").filter(|_| member("high").is_some()));
        let known = known.filter(|_| self.place != Place::Modules && !self.are_blurred);
        let names = known.map_or(Vec::new(), |known| of(members, |word| word.shapes == known.shapes));
        let places = of(members, |word| is_region_or_environment(content(word.label)));
        // Some codes can be joined already.
        let of_codes = of(members, |word| is_code(content(word.label)) || is_text(word.label));
        let count = |words: &Words<'_, '_>| words.iter().map(|word| word.words).sum::<u64>();
        let found = [(names, 2), (places, 2), (of_codes, several_words())];
        found.into_iter().find(|(words, enough)| words.len() > 1 && count(words) >= *enough).map(|(words, _)| words)
    }

    /// Words with few keys each, if there are too many of them to be kinds of keys.
    fn many<'w, 'n>(self, mut members: Words<'w, 'n>) -> Option<Words<'w, 'n>> {
        members.sort_by_key(|word| (word.keys_per_shape(), word.label));
        let words: u64 = members.iter().map(|word| word.words).sum();
        let mut half = words / 2;
        let median = members.iter().find_map(|word| {
            half = half.saturating_sub(word.words);
            (half == 0).then_some(word.keys_per_shape())
        })?;
        let many = if median <= rare_word_keys() { many_rare_words() } else { many_frequent_words() };
        let many = if self.place == Place::Modules { many * modules() } else { many };
        (words >= many).then_some(members)
    }
}

/// The words for which this is true.
fn of<'w, 'n>(words: &Words<'w, 'n>, is_such: impl Fn(&Word<'_>) -> bool) -> Words<'w, 'n> {
    words.iter().filter(|word| is_such(word)).copied().collect()
}

/// The number of values in all keys behind a label, if there is nothing else.
fn values_below(node: &Node) -> usize {
    if node.kinds != 0 || !node.children.keys().all(|label| pure_form(label).is_some()) {
        return 0;
    }
    node.children
        .values()
        .map(|child| if child.kinds == 0 { values_below(child) } else { 0 })
        .min()
        .map_or(0, |values| values + 1)
}

/// The label of a parameter with the values of these labels. Words with which all labels begin or end are text.
fn parameter_label(labels: &[String]) -> String {
    let words = |label: &'_ String| split(label, is_weak).map(str::to_owned).collect::<Vec<_>>();
    let text = text_label(labels.first().map(|label| separator(label)).unwrap_or_default());
    let mut all = labels.iter().filter(|label| pure_form(label).is_none()).map(words);
    let Some(first) = all.next().filter(|_| are_many(labels.len())) else { return text };
    let (mut start, mut end, mut shortest) = (first.len(), first.len(), first.len());
    for words in all {
        start = start.min(words.iter().zip(&first).take_while(|(one, other)| one == other).count());
        end = end.min(words.iter().rev().zip(first.iter().rev()).take_while(|(one, other)| one == other).count());
        shortest = shortest.min(words.len());
    }
    let (head, tail) = (first.get(..start).unwrap_or_default(), first.get(first.len() - end..).unwrap_or_default());
    let has_mark = tail.iter().any(|word| word.contains(MARK));
    if labels.iter().any(|label| pure_form(label).is_some()) || start + end >= shortest || has_mark {
        return text;
    }
    let next = first.get(start).map(|word| separator(word)).unwrap_or_default();
    format!("{}{}{}", head.concat(), text_label(next), tail.concat())
}
