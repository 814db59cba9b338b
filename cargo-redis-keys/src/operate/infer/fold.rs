//! Finds the templates of masks: decides which words are text and which are values.
//!
//! The masks form a tree whose edges are labels: segments with the separator before them. From the leaves to the root,
//! [`Node::fold`] joins labels at which the keys go on alike:
//!
//! 1. Forms that are special cases of each other, as digits are of hexadecimal digits.
//! 2. Labels of several words are a tree of words themselves. If that has few templates, it is used: `session_{text}`.
//! 3. Words. How many there are, how many keys each has and how much is the same behind them decides whether they are a
//!    parameter.
//! 4. Paths of varying length become one parameter.
//!
//! A joined label is folded again, since more is known of what follows it.

mod shapes;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use self::shapes::{is_special_case, mixed, skeleton};
use self::words::{Decision, Word, is_language, is_widespread};
use super::mask::{MARK, Observed, form, is_strong, is_weak, pure_form, split};
use crate::declare::redis_type::RedisType;

/// The most keys of a word that is compared by blurred shapes.
const FEW_KEYS: u64 = 20;

/// The number of words of a parameter to which other ones are added.
const MANY_WORDS: u64 = 10;

/// The number of kinds of keys that are alike and that a program has at most.
const MANY_KINDS: usize = 32;

/// The number of words at a level of a path, if they are too few to be a parameter.
const FEW_WORDS: usize = 3;

/// Labels of several words that are fewer than this are not split.
const FEW_LABELS: usize = 8;

/// A shorter text is no random value.
const SHORTEST_RANDOM: usize = 10;

/// The most words that are compared with each other.
const MANY_TABLES: usize = 64;

/// The types of keys that are strings only.
const STRINGS: u8 = 1 << RedisType::String as u8;

/// The first character of a label that stands for what follows a label, in a tree of its words.
const SHAPE: char = '\u{2}';

/// A row, as far as it decides about templates.
pub(super) struct Masks<'a> {
    /// The mask, without its type.
    pub(super) text: &'a str,
    /// The index of its type.
    pub(super) kind: u8,
    pub(super) keys: u64,
    pub(super) observed: &'a [Observed],
}

/// The template of each mask, in the same order.
pub(super) fn templates(masks: &[Masks<'_>]) -> Vec<String> {
    let mut root = Node::default();
    for (index, mask) in masks.iter().enumerate() {
        root.insert(index, mask);
    }
    root.fold(true);
    let mut templates = vec![String::new(); masks.len()];
    root.collect(&mut String::new(), false, &mut |text, rows, _| {
        for row in rows {
            if let Some(template) = templates.get_mut(*row) {
                text.clone_into(template);
            }
        }
    });
    templates
}

#[derive(Debug, Default)]
struct Node {
    children: BTreeMap<String, Node>,
    /// The indexes of the masks that end here.
    rows: Vec<usize>,
    /// A bit for each type of these masks.
    kinds: u8,
    /// The number of keys here and below.
    keys: u64,
    /// The number of words that were joined to the label of this node.
    words: u64,
    /// The bytes of the shortest and of the longest text of the label.
    lengths: Option<(u32, u32)>,
    /// The separator of the segments for which the label stands, if they are several.
    separator_of_path: Option<char>,
    /// Whether few words were joined because they are names of something for sure.
    are_values: bool,
}

impl Node {
    fn insert(&mut self, index: usize, mask: &Masks<'_>) {
        let mut observed = mask.observed.iter();
        let mut node = self;
        node.keys += mask.keys;
        for label in split(mask.text, is_strong) {
            let marks = label.matches(MARK).count();
            let label_observed =
                Observed::joined(label.get(2 * marks..).unwrap_or_default(), observed.by_ref().take(marks));
            node = node.child(label);
            node.keys += mask.keys;
            node.add_lengths((label_observed.shortest, label_observed.longest));
            if pure_form(label) == Some(form::TEXT) {
                // Words that an earlier fold has joined, or bytes that are no text.
                node.words = node.words.max(mask.keys.min(100));
            }
        }
        node.rows.push(index);
        node.kinds |= 1 << mask.kind;
    }

    fn child(&mut self, label: &str) -> &mut Self {
        if !self.children.contains_key(label) {
            self.children.insert(label.to_owned(), Self::default());
        }
        self.children.entry(label.to_owned()).or_default()
    }

    fn add_lengths(&mut self, (shortest, longest): (u32, u32)) {
        let known = self.lengths.get_or_insert((shortest, longest));
        *known = (known.0.min(shortest), known.1.max(longest));
    }

    fn merge(&mut self, other: Self) {
        for (label, child) in other.children {
            match self.children.get_mut(&label) {
                Some(known) => known.merge(child),
                None => drop(self.children.insert(label, child)),
            }
        }
        self.rows.extend(other.rows);
        self.kinds |= other.kinds;
        self.keys += other.keys;
        self.words += other.words;
        self.separator_of_path = self.separator_of_path.or(other.separator_of_path);
        self.are_values |= other.are_values;
        if let Some(lengths) = other.lengths {
            self.add_lengths(lengths);
        }
    }

    /// Joins labels below this node. At the level of modules, words are joined only if they are many.
    fn fold(&mut self, is_module: bool) {
        let keys = self.keys;
        for (label, child) in &mut self.children {
            let is_prefix =
                is_module && !label.contains(MARK) && child.keys.saturating_mul(5) >= keys.saturating_mul(4);
            child.fold(is_prefix);
        }
        self.join_forms();
        self.join_last_words();
        self.join_languages();
        self.split_labels(is_module);
        while let Some((separator, labels)) = self.parameter(is_module) {
            let has_default = labels.iter().any(|label| label.ends_with("default"));
            let mut joined = Self { are_values: has_default, ..Self::default() };
            for label in &labels {
                let child = self.children.remove(label).unwrap_or_default();
                let is_joined = pure_form(label) == Some(form::TEXT);
                joined.merge(Self { words: if is_joined { child.words } else { 1 }, ..child });
            }
            let label = common(&separator, &labels);
            if let Some(known) = self.children.remove(&label) {
                joined.merge(known);
            }
            joined.fold(false);
            self.children.insert(label, joined);
        }
        self.join_first_words();
        self.join_texts_of_words();
        self.join_numbered_texts();
        self.join_members();
        self.join_rare_labels();
        if !is_module {
            self.join_scattered_paths();
        }
        self.join_paths();
    }

    /// Joins labels that differ in their first word only, and then are text or random: `green-{text}`, `tea-{text}` and
    /// many more are names. No program has so many kinds of keys that are alike.
    fn join_first_words(&mut self) {
        let mut names = BTreeMap::<&str, Vec<(&String, Vec<u64>)>>::new();
        for (label, child) in self.children.iter().filter(|(label, _)| begins_with_name(label)) {
            names.entry(separator(label)).or_default().push((label, child.shapes(false)));
        }
        let mut groups = Vec::<(String, Vec<String>)>::new();
        for (separator, mut labels) in names {
            let mut supports = BTreeMap::<u64, usize>::new();
            labels.iter().flat_map(|(_, shapes)| shapes).for_each(|shape| *supports.entry(*shape).or_default() += 1);
            // Few keys of a name show a part of what can follow.
            let is_common = |shape: &u64| supports.get(shape).is_some_and(|labels| *labels >= MANY_KINDS / 4);
            labels.retain(|(_, shapes)| shapes.iter().all(is_common));
            if labels.len() >= MANY_KINDS && supports.values().any(|support| support * 2 >= labels.len()) {
                let labels = labels.into_iter().map(|(label, _)| label.clone()).collect();
                groups.push((format!("{separator}{MARK}{}", form::TEXT), labels));
            }
        }
        for (text, labels) in groups {
            let mut joined = self.children.remove(&text).unwrap_or_default();
            for label in labels {
                let node = self.children.remove(&label).unwrap_or_default();
                joined.merge(Self { words: node.words.max(1), ..node });
            }
            joined.fold(false);
            self.children.insert(text, joined);
        }
    }

    /// Joins rare labels with one that has the same text around a parameter, and that goes on as they do.
    fn join_members(&mut self) {
        let is_family = |label: &&String| {
            pure_form(label).is_none() && label.matches(&format!("{MARK}{}", form::TEXT)).count() == 1
        };
        let families: Vec<_> = self.children.keys().filter(is_family).cloned().collect();
        for family in families {
            let Some(mut node) = self.children.remove(&family) else { continue };
            let (start, end) = family.split_once(&format!("{MARK}{}", form::TEXT)).unwrap_or_default();
            let is_word = |sign: char| sign.is_alphanumeric() || is_weak_or_strong(sign);
            let is_member = |(label, child): &(&String, &Self)| {
                let text = label.strip_prefix(start).and_then(|label| label.strip_suffix(end)).unwrap_or_default();
                let text = text.replace(&format!("{MARK}{}", form::TEXT), "");
                child.keys.saturating_mul(50) <= node.keys
                    && text.chars().all(is_word)
                    && text.contains(char::is_alphanumeric)
                    && (child.is_like(&node) || child.keys <= 2 && child.is_perhaps_like(&node))
            };
            let members: Vec<_> = self.children.iter().filter(is_member).map(|(label, _)| label.clone()).collect();
            for label in &members {
                node.merge(self.children.remove(label).unwrap_or_default());
            }
            if !members.is_empty() {
                node.fold(false);
            }
            self.children.insert(family, node);
        }
    }

    /// Makes text of segments that are a text and a number, such as `AB-1234`.
    fn join_numbered_texts(&mut self) {
        let is_numbered = |label: &&String| {
            let text = label.strip_prefix(|sign: char| u8::try_from(sign).is_ok_and(is_strong));
            text.is_some_and(|text| text.starts_with([MARK]) && has_word_mark(text.get(..2).unwrap_or_default()))
                && is_of_texts(label)
                && label.contains(&format!("{MARK}{}", form::INTEGER))
        };
        let labels: Vec<_> = self.children.keys().filter(is_numbered).cloned().collect();
        for label in labels {
            let node = self.children.remove(&label).unwrap_or_default();
            let text = format!("{}{MARK}{}", separator(&label), form::TEXT);
            let mut joined = self.children.remove(&text).unwrap_or_default();
            joined.merge(Self { words: node.words.max(node.keys.min(MANY_WORDS)), ..node });
            joined.fold(false);
            self.children.insert(text, joined);
        }
    }

    /// Joins labels of nothing but texts and numbers with the label that is text, if they go on as it does:
    /// `{text}_{text}` and `{text}{integer}` are names as well.
    fn join_texts_of_words(&mut self) {
        let texts: Vec<_> =
            self.children.keys().filter(|label| pure_form(label) == Some(form::TEXT)).cloned().collect();
        for text in texts {
            let Some(mut node) = self.children.remove(&text) else { continue };
            let is_name = |(label, child): &(&String, &Self)| {
                pure_form(label).is_none()
                    && separator(label) == separator(&text)
                    && (is_of_texts(label) || node.words >= MANY_KINDS as u64 && begins_with_name(label))
                    && child.is_like(&node)
            };
            let names: Vec<_> = self.children.iter().filter(is_name).map(|(label, _)| label.clone()).collect();
            for label in &names {
                node.merge(self.children.remove(label).unwrap_or_default());
            }
            if !names.is_empty() {
                node.fold(false);
            }
            self.children.insert(text, node);
        }
    }

    /// Joins labels that differ only in the forms of their marks, if one is a special case of the other.
    fn join_forms(&mut self) {
        let mut alike = BTreeMap::<String, Vec<String>>::new();
        for label in self.children.keys().filter(|label| label.contains(MARK) && !label.starts_with(SHAPE)) {
            alike.entry(skeleton(label)).or_default().push(label.clone());
        }
        for mut labels in alike.into_values().filter(|labels| labels.len() > 1) {
            labels.sort_by_key(|label| std::cmp::Reverse(self.children.get(label).map_or(0, |child| child.keys)));
            let Some((main, others)) = labels.split_first() else { continue };
            let mut main = main.clone();
            for other in others {
                let (Some(one), Some(two)) = (self.children.get(&main), self.children.get(other)) else { continue };
                let Some(joined) = is_special_case(&main, other, one.keys, two.keys) else { continue };
                if !two.is_like(one) {
                    continue;
                }
                let (one, two) = (self.children.remove(&main), self.children.remove(other));
                let mut node = one.unwrap_or_default();
                node.merge(two.unwrap_or_default());
                node.fold(false);
                self.children.insert(joined.clone(), node);
                main = joined;
            }
        }
        // Random values that look like words by chance.
        let random: Vec<_> = self.children.keys().filter(|label| is_random(label)).cloned().collect();
        for main in random {
            let Some(mut node) = self.children.remove(&main) else { continue };
            let by_chance: Vec<_> = self
                .children
                .iter()
                .filter(|(label, child)| child.is_value_of(label, &main, &node))
                .map(|(label, _)| label.clone())
                .collect();
            for label in &by_chance {
                node.merge(self.children.remove(label).unwrap_or_default());
            }
            if !by_chance.is_empty() {
                node.fold(false);
            }
            self.children.insert(main, node);
        }
    }

    /// Whether the keys below go on as those below another node do.
    fn is_like(&self, other: &Self) -> bool {
        self.has_shapes_of(other, false)
    }

    /// The same if words below can be values.
    fn is_perhaps_like(&self, other: &Self) -> bool {
        self.has_shapes_of(other, true)
    }

    fn has_shapes_of(&self, other: &Self, are_blurred: bool) -> bool {
        let (mine, others) = (self.shapes(are_blurred), other.shapes(are_blurred));
        let shared = mine.iter().filter(|shape| others.contains(shape)).count();
        shared * 10 >= mine.len() * 6
    }

    /// Whether this label could be a random value in the place of the one of another label.
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
        let is_long = mine.0 as usize >= other_bytes + SHORTEST_RANDOM;
        if form == form::DOMAIN {
            // A domain has no digits that tell it from words, but it has a dot.
            return node.keys >= 10 && ends_like_domain(value) && self.is_perhaps_like(node);
        }
        is_long
            && (self.keys <= 2 || self.keys.saturating_mul(50) <= node.keys)
            && node.keys >= 10
            && mine.0 <= lengths.1
            && mine.1 >= lengths.0
            && value
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'+' | b'=' | 1))
            && self.is_like(node)
    }

    /// Splits labels into words, if that describes them shorter. Those that are left and begin with the same word are
    /// split at one separator, as in `room.{slug}.members`, where the words of a slug are no words of the label.
    fn split_labels(&mut self, is_module: bool) {
        let is_split = |label: &&String| !label.starts_with(SHAPE) && split(label, is_weak).nth(1).is_some();
        let labels: Vec<String> = self.children.keys().filter(is_split).cloned().collect();
        self.split_and_join(&labels, is_module, None);
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
                self.split_and_join(&labels, false, Some(separator));
            }
        }
    }

    /// Joins the labels that become one template of words.
    fn split_and_join(&mut self, labels: &[String], is_module: bool, separator: Option<u8>) {
        if labels.len() < 2 {
            return;
        }
        for (text, rows) in self.split_at(labels, is_module, separator) {
            let mut joined = Self::default();
            for label in rows.iter().filter_map(|row| labels.get(*row)) {
                joined.merge(self.children.remove(label).unwrap_or_default());
            }
            if let Some(known) = self.children.remove(&text) {
                joined.merge(known);
            }
            joined.fold(false);
            self.children.insert(text, joined);
        }
    }

    /// The labels as templates of their words, if these explain most of what they change.
    fn split_at(&self, labels: &[String], is_module: bool, separator: Option<u8>) -> Vec<(String, Vec<usize>)> {
        let is_separator = |byte: u8| separator.map_or(is_weak(byte), |separator| byte == separator);
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
        words.fold(is_module);
        let mut templates = Vec::new();
        let mut certain = BTreeSet::new();
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
            let covers_all = rows.len() * 10 >= labels.len() * 9;
            let is_sure = certain.contains(text) || rows.len() >= FEW_LABELS && (has_word || covers_all);
            has_word_mark(text) && is_sure
        });
        let explained: usize = templates.iter().map(|(_, rows)| rows.len()).sum();
        if explained * 10 >= changed * 7 { templates } else { Vec::new() }
    }

    /// The labels that are values of one parameter, and their separator.
    fn parameter(&self, is_module: bool) -> Option<(String, Vec<String>)> {
        let is_word = |label: &str, keys: u64| match pure_form(label) {
            _ if label.starts_with(SHAPE) => false,
            // A module whose name is followed by values is no value, if it has some keys.
            None if is_module && label.contains(MARK) && !is_numbered(label) && keys > FEW_KEYS => false,
            None => !has_word_mark(label),
            form => form == Some(form::TEXT),
        };
        let words: Vec<_> = self.children.iter().filter(|(label, child)| is_word(label, child.keys)).collect();
        let exact: Vec<_> = words.iter().map(|(label, child)| Word::new(label, child, false)).collect();
        words::parameter(&exact, Decision { is_module, are_blurred: false }).or_else(|| {
            // Few keys show a part of what can follow.
            let joined = words.iter().filter(|(label, _)| pure_form(label).is_some());
            let few = joined.map(|(_, child)| 3 * child.keys / child.words.max(1)).fold(FEW_KEYS, u64::max);
            let rare = words.iter().filter(|(label, child)| child.keys <= few || pure_form(label).is_some());
            let blurred: Vec<_> = rare.map(|(label, child)| Word::new(label, child, true)).collect();
            words::parameter(&blurred, Decision { is_module, are_blurred: true })
        })
    }

    /// Joins rare labels with a parameter that is text and that goes on as they do: numbers and random values, and
    /// words that were not seen when the others were joined.
    fn join_rare_labels(&mut self) {
        let texts: Vec<_> =
            self.children.keys().filter(|label| pure_form(label) == Some(form::TEXT)).cloned().collect();
        for text in texts {
            let Some(mut node) = self.children.remove(&text) else { continue };
            let few = FEW_KEYS.max(3 * node.keys / node.words.max(1));
            let shapes = node.shapes(false);
            let is_rare = |(label, child): &(&String, &Self)| {
                let is_rare = match pure_form(label) {
                    Some(form::TEXT | form::REST | form::UUID) => false,
                    Some(_) => child.keys.saturating_mul(20) <= node.keys,
                    None => node.words >= MANY_WORDS && child.keys <= few && !has_word_mark(label),
                };
                is_rare
                    && separator(label) == separator(&text)
                    && child.shapes(false).iter().all(|shape| shapes.binary_search(shape).is_ok())
            };
            let rare: Vec<_> = self.children.iter().filter(is_rare).map(|(label, _)| label.clone()).collect();
            for label in &rare {
                node.merge(self.children.remove(label).unwrap_or_default());
            }
            if !rare.is_empty() {
                node.fold(false);
            }
            self.children.insert(text, node);
        }
    }

    /// Joins paths that have hardly a level in common: many words with `/` between them, at three and more levels.
    fn join_scattered_paths(&mut self) {
        let labels: Vec<_> = self.children.keys().filter(|label| is_of_path(label)).cloned().collect();
        let (mut depths, mut words) = (BTreeSet::new(), BTreeSet::new());
        let are_paths = labels
            .iter()
            .filter_map(|label| self.children.get(label))
            .all(|child| child.keys <= FEW_KEYS.max(child.words * 2) && child.add_path(0, &mut depths, &mut words));
        let first =
            labels.iter().filter_map(|label| self.children.get(label)).map(|child| child.words.max(1)).sum::<u64>();
        if !are_paths || first < MANY_WORDS || depths.len() < 3 || (words.len() as u64) < MANY_WORDS {
            return;
        }
        let mut path = Self { separator_of_path: Some('/'), ..Self::default() };
        for label in labels {
            let node = self.children.remove(&label).unwrap_or_default();
            path.keys += node.keys;
            path.words += node.words.max(1);
            node.into_rows(&mut path);
        }
        self.children.entry(format!("/{MARK}{}", form::REST)).or_default().merge(path);
    }

    /// Adds the depths at which keys end, and the words on the way. Returns whether they can be parts of paths.
    fn add_path<'n>(&'n self, depth: usize, depths: &mut BTreeSet<usize>, words: &mut BTreeSet<&'n str>) -> bool {
        if self.kinds != 0 {
            depths.insert(depth);
        }
        words.extend(self.children.keys().map(String::as_str));
        self.kinds.count_ones() <= 1
            && self.children.iter().all(|(label, child)| is_of_path(label) && child.add_path(depth + 1, depths, words))
    }

    /// Joins paths: three and more levels of text with one separator and keys at each.
    fn join_paths(&mut self) {
        let is_path = |label: &&String| matches!(pure_form(label), Some(form::TEXT | form::REST));
        let texts: Vec<_> = self.children.keys().filter(is_path).cloned().collect();
        for label in texts {
            let mut levels = if pure_form(&label) == Some(form::REST) { 3 } else { 0 };
            let Some(first) = self.children.get(&label) else { continue };
            let mut between = first.separator_of_path;
            let (mut node, mut last) = (Some(first), first);
            while let Some(level) = node.filter(|node| node.kinds != 0) {
                levels += 1;
                last = level;
                node = level.next_level().map(|(label, next)| {
                    between = between.or(label.chars().next());
                    next
                });
            }
            // Of deep levels, few words are seen.
            let is_word = |(label, child): &(&String, &Self)| {
                !label.contains([MARK, SHAPE]) && label.chars().next() == between && child.types() & !first.kinds == 0
            };
            let words = |node: &Self| node.children.iter().filter(is_word).count();
            if levels == 2 && words(first) + words(last) >= FEW_WORDS {
                levels = 3;
            }
            let sign = label.chars().next();
            // A level before a path is a part of it if keys end there, if it has the separator of the path, or if there
            // are paths beside it.
            let has_paths = self.children.contains_key(&format!("{}{MARK}{}", separator(&label), form::REST));
            let is_start = || {
                let between = first.next_level().and_then(|(_, next)| next.separator_of_path);
                between.is_some_and(|between| Some(between) == sign || first.kinds != 0 || has_paths)
            };
            if levels < 3 && !is_start() {
                continue;
            }
            let node = self.children.remove(&label).unwrap_or_default();
            let mut path = Self {
                keys: node.keys,
                words: node.words,
                lengths: node.lengths,
                separator_of_path: between.or(sign),
                ..Self::default()
            };
            node.into_rows(&mut path);
            let separator = label.split(MARK).next().unwrap_or_default();
            let rest = format!("{separator}{MARK}{}", form::REST);
            // Words that only paths follow are the first ones of paths.
            let is_start = |(label, child): &(&String, &Self)| {
                let is_rare = child.keys.saturating_mul(20) <= path.keys;
                let goes_on = |label: &String| {
                    matches!(pure_form(label), Some(form::TEXT | form::REST)) || is_rare && is_of_path(label)
                };
                pure_form(label).is_none()
                    && self::separator(label) == separator
                    && child.children.keys().all(goes_on)
                    && child.types() & !path.kinds == 0
            };
            let starts: Vec<_> = self.children.iter().filter(is_start).map(|(label, _)| label.clone()).collect();
            for label in starts {
                let node = self.children.remove(&label).unwrap_or_default();
                path.keys += node.keys;
                node.into_rows(&mut path);
            }
            self.children.entry(rest).or_default().merge(path);
        }
    }

    /// The next level of a path, perhaps behind a doubled separator.
    fn next_level(&self) -> Option<(&String, &Self)> {
        self.level().or_else(|| {
            let (_, doubled) = self.children.iter().find(|(label, _)| label.len() == 1)?;
            doubled.level().filter(|_| doubled.kinds == 0)
        })
    }

    /// The child that can be a level of a path.
    fn level(&self) -> Option<(&String, &Self)> {
        self.children.iter().find(|(label, _)| matches!(pure_form(label), Some(form::TEXT | form::REST)))
    }

    /// A bit for each type of the keys here and below.
    fn types(&self) -> u8 {
        self.children.values().fold(self.kinds, |types, child| types | child.types())
    }

    fn into_rows(self, into: &mut Self) {
        into.rows.extend(self.rows);
        into.kinds |= self.kinds;
        self.children.into_values().for_each(|child| child.into_rows(into));
    }

    /// Joins the last words of keys if they are the same behind words with other types: `queue:mail` is a list, and
    /// `failed:mail` a sorted set, so `mail` is a value. So are the names of several queues.
    fn join_last_words(&mut self) {
        let tables: Vec<_> = self
            .children
            .iter()
            .filter(|(label, _)| !label.contains(MARK))
            .filter_map(|(label, child)| Some((label.clone(), child.last_words()?)))
            .take(MANY_TABLES)
            .collect();
        let is_alike = |one: &BTreeSet<&String>, other: &BTreeSet<&String>| {
            let shared = one.intersection(other).count();
            shared >= 2 && shared * 10 >= one.len().max(other.len()) * 6
        };
        let mut found = BTreeMap::<String, BTreeSet<String>>::new();
        let mut find = |label: &String, words: &BTreeSet<&String>| {
            found.insert(label.clone(), words.iter().map(|word| (*word).clone()).collect());
        };
        for (_, (kind, words)) in &tables {
            if tables.iter().any(|(_, (other, others))| kind != other && is_alike(words, others)) {
                tables
                    .iter()
                    .filter(|(_, (_, others))| is_alike(words, others))
                    .for_each(|(label, (_, words))| find(label, words));
            }
        }
        tables
            .iter()
            .filter(|(label, (kind, _))| is_queue(label) && *kind != STRINGS)
            .for_each(|(label, (_, words))| find(label, words));
        drop(tables);
        for (label, words) in found {
            if let Some(child) = self.children.get_mut(&label) {
                child.join_values(&words);
            }
        }
    }

    /// Joins words that are values for sure.
    fn join_values(&mut self, words: &BTreeSet<String>) {
        let mut joined = Self { are_values: true, ..Self::default() };
        let mut label = String::new();
        for word in words {
            let node = self.children.remove(word).unwrap_or_default();
            label = format!("{}{MARK}{}", separator(word), form::TEXT);
            joined.merge(Self { words: 1, ..node });
        }
        if let Some(known) = self.children.remove(&label) {
            joined.merge(known);
        }
        joined.fold(false);
        self.children.insert(label, joined);
    }

    /// Joins languages: how keys go on behind them differs by chance.
    fn join_languages(&mut self) {
        let labels: Vec<_> = self.children.keys().filter(|label| is_language(label)).cloned().collect();
        let separators: BTreeSet<_> = labels.iter().map(|label| label.chars().next()).collect();
        if labels.len() < 2 || separators.len() > 1 || !labels.iter().any(|label| is_widespread(label)) {
            return;
        }
        let mut joined = Self::default();
        for label in &labels {
            joined.merge(Self { words: 1, ..self.children.remove(label).unwrap_or_default() });
        }
        let separator: String =
            labels.iter().flat_map(|label| label.chars()).take(1).filter(|sign| is_weak_or_strong(*sign)).collect();
        let text = format!("{separator}{MARK}{}", form::TEXT);
        if let Some(known) = self.children.remove(&text) {
            joined.merge(known);
        }
        joined.fold(false);
        self.children.insert(text, joined);
    }

    /// The words with which keys end below this node, and how: those of one type, if they are several.
    fn last_words(&self) -> Option<(u8, BTreeSet<&String>)> {
        let words = self.children.iter().filter(|(label, _)| !label.contains([MARK, SHAPE]));
        let mut ends = BTreeMap::<_, BTreeSet<&String>>::new();
        for (label, child) in words {
            if let Some(end) = child.end() {
                ends.entry((label.chars().next(), end)).or_default().insert(label);
            }
        }
        let ((_, end), words) = ends.into_iter().max_by_key(|(_, words)| words.len())?;
        // Other words of a label can go on with more of them.
        let is_complete = words.len() == self.children.len()
            || words.iter().all(|word| self.children.get(*word).is_some_and(|child| child.kinds != 0));
        (words.len() > 1 && is_complete).then_some((end, words))
    }

    /// How the last words below this node end, if nothing else is there.
    fn only_last_words(&self) -> Option<u8> {
        let (end, words) = self.last_words()?;
        (self.kinds == 0 && words.len() == self.children.len()).then_some(end)
    }

    /// A bit for each type of the keys that end here, if nothing follows.
    fn end(&self) -> Option<u8> {
        let bit = |label: &String| (0..8).find(|kind| *label == shape_label(mixed(0, &[*kind]))).map(|kind| 1 << kind);
        let ends = self.children.keys().map(bit).chain((self.kinds != 0).then_some(Some(self.kinds)));
        ends.reduce(|one, other| Some(one? | other?)).flatten()
    }

    /// Hashes of the ways in which keys go on, with their types. If they are blurred, each word could be a value.
    fn shapes(&self, are_blurred: bool) -> Vec<u64> {
        let mut shapes = Vec::new();
        self.add_shapes(0, are_blurred, &mut shapes);
        shapes.sort_unstable();
        shapes.dedup();
        shapes
    }

    fn add_shapes(&self, hash: u64, are_blurred: bool, shapes: &mut Vec<u64>) {
        shapes.extend((0..8).filter(|kind| self.kinds & (1 << kind) != 0).map(|kind| mixed(hash, &[kind])));
        for (label, child) in &self.children {
            if label.starts_with(SHAPE) {
                shapes.push(mixed(hash, label.as_bytes()));
            } else if are_blurred && label.contains(char::is_alphanumeric) {
                let separator: String =
                    label.chars().take(1).filter(|sign| is_weak_or_strong(*sign)).chain([MARK]).collect();
                child.add_shapes(mixed(hash, separator.as_bytes()), true, shapes);
            } else {
                child.add_shapes(mixed(hash, skeleton(label).as_bytes()), are_blurred, shapes);
            }
        }
    }

    fn collect(&self, path: &mut String, are_values: bool, found: &mut dyn FnMut(&str, &[usize], bool)) {
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

/// Templates of labels, of which those that differ only in the number of words of their text are one.
fn with_joined_words(templates: Vec<(String, Vec<usize>)>) -> Vec<(String, Vec<usize>)> {
    let mut joined = BTreeMap::<String, Vec<(String, Vec<usize>)>>::new();
    for (text, rows) in templates {
        let mut short = String::new();
        let mut is_text = false;
        for word in split(&text, is_weak) {
            let was_text = std::mem::replace(&mut is_text, pure_form(word) == Some(form::TEXT));
            if !(was_text && is_text) {
                short.push_str(word);
            }
        }
        joined.entry(short).or_default().push((text, rows));
    }
    // The last words of some texts are too few to be known as values.
    let rows = |templates: &[(String, Vec<usize>)]| templates.iter().map(|(_, rows)| rows.len()).sum::<usize>();
    let (common, rare): (BTreeMap<_, _>, BTreeMap<_, _>) =
        joined.into_iter().partition(|(_, templates)| rows(templates) >= FEW_LABELS);
    let mut joined = common;
    for (short, templates) in rare {
        let wider = without_words_behind_text(&short);
        let text = if joined.contains_key(&wider) { wider } else { short };
        joined.entry(text).or_default().extend(templates);
    }
    let one = |(short, mut templates): (String, Vec<(String, Vec<usize>)>)| match templates.len() {
        1 => templates.pop().unwrap_or_default(),
        _ => (short, templates.into_iter().flat_map(|(_, rows)| rows).collect()),
    };
    joined.into_iter().map(one).collect()
}

/// A label without the words behind a text that have the separator of its last word.
fn without_words_behind_text(label: &str) -> String {
    let mut short = String::new();
    let mut of_text = None;
    for word in split(label, is_weak) {
        let is_text = pure_form(word) == Some(form::TEXT);
        if is_text {
            if of_text.is_none() {
                short.push_str(word);
            }
            of_text = Some(separator(word));
        } else if word.contains(MARK) || of_text.is_none_or(|of_text| of_text != self::separator(word)) {
            short.push_str(word);
            of_text = None;
        }
    }
    short
}

/// The label of a parameter with the values of these labels. Words with which all of them begin or end are text.
fn common(separator: &str, labels: &[String]) -> String {
    let words = |label: &'_ String| split(label, is_weak).map(str::to_owned).collect::<Vec<_>>();
    let mut all = labels.iter().filter(|label| pure_form(label).is_none()).map(words);
    let text = format!("{separator}{MARK}{}", form::TEXT);
    let Some(first) = all.next().filter(|_| labels.len() >= FEW_LABELS) else { return text };
    let (mut start, mut end, mut shortest) = (first.len(), first.len(), first.len());
    for words in all {
        start = start.min(words.iter().zip(&first).take_while(|(one, other)| one == other).count());
        end = end.min(words.iter().rev().zip(first.iter().rev()).take_while(|(one, other)| one == other).count());
        shortest = shortest.min(words.len());
    }
    let is_text = |words: &[String]| !words.iter().any(|word| word.contains(MARK));
    let (head, tail) = (first.get(..start).unwrap_or_default(), first.get(first.len() - end..).unwrap_or_default());
    if labels.iter().any(|label| pure_form(label).is_some()) || start + end >= shortest || !is_text(tail) {
        return text;
    }
    let next = first.get(start).map(|word| self::separator(word)).unwrap_or_default();
    format!("{}{next}{MARK}{}{}", head.concat(), form::TEXT, tail.concat())
}

/// The separator with which a label begins.
fn separator(label: &str) -> &str {
    label.strip_prefix(is_weak_or_strong).and_then(|text| label.strip_suffix(text)).unwrap_or_default()
}

fn is_weak_or_strong(sign: char) -> bool {
    u8::try_from(sign).is_ok_and(|byte| is_strong(byte) || is_weak(byte))
}

/// Whether a part of a label is a random value.
fn is_random(label: &str) -> bool {
    let form = label.split_once(MARK).and_then(|(_, form)| form.chars().next());
    // Hexadecimal digits beside other values could be anything.
    form.is_some_and(|form| label.matches(MARK).count() == 1 || form != form::HEX)
        && random_marks(label).next().is_some()
}

/// The places and the forms of the marks of a label that can stand for random values.
fn random_marks(label: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let marks =
        label.match_indices(MARK).filter_map(|(place, _)| Some((place, label.get(place + 1..)?.chars().next()?)));
    marks.filter(|(_, form)| [form::RANDOM, form::BASE64, form::HEX, form::EMAIL, form::DOMAIN].contains(form))
}

/// Whether a text ends like a domain: with a country, in most cases.
fn ends_like_domain(text: &str) -> bool {
    let is_end = |end: &str| (2..=3).contains(&end.len()) && end.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | 1);
    text.bytes().all(is_part) && text.rsplit_once('.').is_some_and(|(name, end)| !name.is_empty() && is_end(end))
}

/// The label that stands for a shape.
fn shape_label(shape: u64) -> String {
    format!("{SHAPE}{shape:x}")
}

/// Whether the last word of a label announces the name of a queue.
fn is_queue(label: &str) -> bool {
    split(label, is_weak).last().is_some_and(|word| word.ends_with("queue") || word.ends_with("queues"))
}

/// Whether a label is a name with a number, such as that of a host.
fn is_numbered(label: &str) -> bool {
    label
        .strip_suffix(form::INTEGER)
        .and_then(|label| label.strip_suffix(MARK))
        .is_some_and(|name| name.ends_with(['-', '.']))
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
    counts.into_iter().filter(|(_, labels)| are_several && *labels >= FEW_LABELS).map(|(sign, _)| sign).collect()
}

/// Whether a label has a parameter that is text, and otherwise numbers and separators only.
fn is_of_texts(label: &str) -> bool {
    let (start, marks) = label.split_once(MARK).unwrap_or((label, ""));
    let is_value = |part: &str| {
        let mut signs = part.chars();
        signs.next().is_some_and(|form| form == form::TEXT || form == form::INTEGER)
            && !signs.any(char::is_alphanumeric)
    };
    has_word_mark(label) && !start.contains(char::is_alphanumeric) && marks.split(MARK).all(is_value)
}

/// Whether a label can be a part of a path.
fn is_of_path(label: &str) -> bool {
    label.starts_with('/') && (!label.contains(MARK) || matches!(pure_form(label), Some(form::TEXT | form::REST)))
}

/// Whether a label is a word and then text or random.
fn begins_with_name(label: &str) -> bool {
    let text = label.get(separator(label).len()..).unwrap_or_default();
    let first = split(text, is_weak).next().unwrap_or_default();
    let rest = text.get(first.len()..).unwrap_or_default();
    !first.is_empty() && !first.contains([MARK, SHAPE]) && is_of_names(rest)
}

/// Whether this has nothing but separators and parameters, each text or random.
fn is_of_names(text: &str) -> bool {
    let (start, marks) = text.split_once(MARK).unwrap_or((text, "a"));
    let is_name = |part: &str| {
        let mut signs = part.chars();
        signs.next().is_some_and(|form| [form::TEXT, form::RANDOM, form::BASE64].contains(&form))
            && !signs.any(char::is_alphanumeric)
    };
    !start.contains(char::is_alphanumeric) && marks.split(MARK).all(is_name)
}

/// Whether a label contains a parameter that is text.
fn has_word_mark(label: &str) -> bool {
    let mut signs = label.chars();
    std::iter::from_fn(|| signs.find(|sign| *sign == MARK).and_then(|_| signs.next())).any(|form| form == form::TEXT)
}
