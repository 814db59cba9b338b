//! Paths of varying length.

use std::collections::{BTreeMap, BTreeSet};

use super::label::{SHAPE, is_of_path, is_text_or_rest, rest_label, separator};
use super::node::Node;
use crate::operate::infer::mask::{MARK, form, pure_form};
use crate::operate::infer::thresholds::{is_rare, many_words, path_levels, rare};

impl Node {
    /// Joins paths that have hardly a level in common: many words with `/` between them, at three and more levels.
    pub(super) fn join_scattered_paths(&mut self) {
        let mut groups = BTreeMap::<String, Vec<String>>::new();
        for label in self.labels(|label, _| !label.contains(MARK) || is_text_or_rest(label)) {
            groups.entry(separator(&label).to_owned()).or_default().push(label);
        }
        for (sign, labels) in groups {
            let children: Vec<_> = labels.iter().filter_map(|label| self.children.get(label)).collect();
            let (mut depths, mut words) = (BTreeSet::new(), BTreeSet::new());
            let are_paths = children.iter().all(|child| child.add_path(0, &mut depths, &mut words));
            let first: u64 = children.iter().map(|child| child.words.max(1)).sum();
            let are_many = first >= many_words() && words.len() as u64 >= many_words();
            // Otherwise the text before `/` is a separate parameter.
            let is_start = sign == "/" || depths.contains(&0);
            if are_paths && are_many && is_start && depths.len() as u64 >= path_levels() {
                self.join_path(&sign, &labels, Some('/'));
            }
        }
    }

    /// Joins labels and all that follows them to a path, with a separator of its segments.
    fn join_path(&mut self, separator: &str, labels: &[String], between: Option<char>) {
        let rest = rest_label(separator);
        let known = self.children.get(&rest).and_then(|path| path.separator_of_path);
        let mut path = Self { separator_of_path: known.or(between), ..Self::default() };
        for label in labels.iter().chain([&rest]) {
            let Some(node) = self.children.remove(label) else { continue };
            path.keys += node.keys;
            path.words += node.words.max(1);
            path.merge_rows(node);
        }
        self.children.insert(rest, path);
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
    pub(super) fn join_paths(&mut self) {
        for label in self.labels(|label, _| is_text_or_rest(label)) {
            let Some(first) = self.children.get(&label) else { continue };
            let mut between = first.separator_of_path;
            if !Self::is_path(&label, first, &mut between) {
                continue;
            }
            let (keys, kinds, separator) = (first.keys, first.types(), separator(&label));
            // Words that only paths follow are the first words of paths.
            let mut labels = self.labels(|label, child| {
                let goes_on =
                    |next: &String| is_text_or_rest(next) || is_rare(child.keys, keys, rare()) && is_of_path(next);
                pure_form(label).is_none_or(|form| form == form::TEXT)
                    && self::separator(label) == separator
                    && child.children.keys().all(goes_on)
                    && child.types() & !kinds == 0
            });
            labels.push(label.clone());
            self.join_path(separator, &labels, between);
        }
    }

    /// Whether a label begins a path. Finds the separator between its segments, if there are some.
    fn is_path(label: &str, first: &Self, between: &mut Option<char>) -> bool {
        let mut levels = if pure_form(label) == Some(form::REST) { path_levels() } else { 0 };
        let (mut node, mut last) = (Some(first), first);
        while let Some(level) = node.filter(|node| node.kinds != 0) {
            levels += 1;
            last = level;
            node = level.next_level().map(|(label, next)| {
                *between = between.or(label.chars().next());
                next
            });
        }
        // Of deep levels, few words are seen.
        let is_word = |label: &str, child: &Self| {
            !label.contains([MARK, SHAPE]) && label.chars().next() == *between && child.types() & !first.kinds == 0
        };
        let words = (first.labels(is_word).len() + last.labels(is_word).len()) as u64;
        if levels == 2 && words >= path_levels() {
            levels = path_levels();
        }
        // A level before a path belongs to the path if keys end there or if it has the separator of the path.
        let sign = label.chars().next();
        let between_next = first.next_level().and_then(|(_, next)| next.separator_of_path);
        let is_start = between_next.is_some() && (between_next == sign || first.kinds != 0);
        levels >= path_levels() || is_start
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
        self.children.iter().find(|(label, _)| is_text_or_rest(label))
    }
}
