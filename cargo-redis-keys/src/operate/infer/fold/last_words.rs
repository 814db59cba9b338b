//! The last words of keys that are names of something, such as a queue: `queue:mail` is a list, and `failed:mail` a
//! sorted set.

use std::collections::{BTreeMap, BTreeSet};

use super::label::{SHAPE, separator, text_label};
use super::node::Node;
use crate::declare::redis_type::RedisType;
use crate::operate::infer::mask::MARK;
use crate::operate::infer::thresholds::{alike, is_share, several_words};

/// The most labels whose last words are compared with each other, which bounds the time.
const MAX_TABLES: usize = 64;

/// The types of keys that end with one of several words, and these words.
type Ends<'n> = (u8, BTreeSet<&'n String>);

impl Node {
    /// Joins the last words of keys if they are the same behind words with other types.
    pub(super) fn join_last_words(&mut self) {
        let tables: Vec<(&String, Ends<'_>)> = self
            .children
            .iter()
            .filter(|(label, _)| !label.contains(MARK))
            .filter_map(|(label, child)| Some((label, child.last_words()?)))
            .take(MAX_TABLES)
            .collect();
        let is_value = |words: &BTreeSet<&String>| {
            // Among words that are alike, some have another type than others.
            let mut alike = tables.iter().filter(|(_, other)| are_alike(words, &other.1)).map(|(_, other)| other);
            let has_other_type =
                |one: &Ends<'_>| tables.iter().any(|(_, two)| one.0 != two.0 && are_alike(&one.1, &two.1));
            alike.any(has_other_type)
        };
        let found: Vec<(String, Vec<String>)> = tables
            .iter()
            .filter(|(_, (_, words))| is_value(words))
            .map(|(label, (_, words))| ((*label).clone(), words.iter().copied().cloned().collect()))
            .collect();
        for (label, words) in found {
            let Some(child) = self.children.get_mut(&label) else { continue };
            let text = text_label(words.first().map(|word| separator(word)).unwrap_or_default());
            child.children.entry(text.clone()).or_default().are_values = true;
            child.join(&text, &words);
        }
    }

    /// Joins words if there is nothing but a list for each: these are queues, and programs have their names.
    pub(super) fn join_queues(&mut self) {
        let is_queue = |(label, child): (&String, &Self)| {
            !label.contains([MARK, SHAPE]) && child.keys == 1 && child.kinds == 1 << RedisType::List as u8
        };
        let separators: BTreeSet<_> = self.children.keys().map(|label| separator(label)).collect();
        if let (Some(separator), 1) = (separators.first(), separators.len())
            && self.children.len() as u64 >= several_words()
            && self.children.iter().all(is_queue)
        {
            let labels: Vec<_> = self.children.keys().cloned().collect();
            self.join(&text_label(separator), &labels);
        }
    }

    /// The words with which keys end below this node, and their type, if there are several words and they have one
    /// type.
    fn last_words(&self) -> Option<Ends<'_>> {
        let words = self.children.iter().filter(|(label, _)| !label.contains([MARK, SHAPE]));
        let mut ends = BTreeMap::<_, BTreeSet<&String>>::new();
        for (label, child) in words {
            if let Some(end) = child.end() {
                ends.entry((separator(label), end)).or_default().insert(label);
            }
        }
        let ((_, end), words) = ends.into_iter().max_by_key(|(_, words)| words.len())?;
        // Other words of a label can go on with further words.
        let is_complete = words.len() == self.children.len()
            || words.iter().all(|word| self.children.get(*word).is_some_and(|child| child.kinds != 0));
        (words.len() > 1 && is_complete).then_some((end, words))
    }
}

/// Whether most of the words are the same.
fn are_alike(one: &BTreeSet<&String>, other: &BTreeSet<&String>) -> bool {
    let shared = one.intersection(other).count();
    shared > 1 && is_share(shared, one.len().max(other.len()), alike())
}
