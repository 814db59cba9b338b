//! Finds the templates of masks: decides which words are text and which are values.
//!
//! The masks form a tree whose edges are labels: segments with the separator before them. From the leaves to the root,
//! [`Node::fold`] joins labels at which the keys go on alike:
//!
//! 1. [Forms](forms) that are special cases of each other, as digits are of hexadecimal digits.
//! 2. [Last words](last_words) of keys that are names of something, [languages] and [machines].
//! 3. [Labels of several words](split_labels) are a tree of words themselves. If the tree has few templates, it is
//!    used: `session_{text}`.
//! 4. [Words](words). Their number, the keys of each, and the amount of equal text behind them decide whether they are
//!    a parameter.
//! 5. [Names](families) of a parameter that have another form than most.
//! 6. [Paths](paths) of varying length become one parameter.
//!
//! A joined label is folded again, because more is known about the text behind it.

mod families;
mod forms;
mod label;
mod languages;
mod last_words;
mod machines;
mod node;
mod paths;
mod shapes;
mod split_labels;
mod words;

use self::node::Node;
use super::mask::{MARK, Observation};
use super::thresholds::{is_rare, main_module};

/// A row, as far as it decides about templates.
pub(super) struct Masks<'a> {
    /// The mask, without its type.
    pub(super) text: &'a str,
    /// Its type's index.
    pub(super) kind: u8,
    pub(super) keys: u64,
    pub(super) observed: &'a [Observation],
}

/// The place of labels in keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// The names of modules, few of which are values.
    Modules,
    BehindText,
    BehindValue,
}

impl Place {
    fn behind(label: &str) -> Self {
        if label.contains(MARK) { Self::BehindValue } else { Self::BehindText }
    }
}

/// Each mask's template, in the same order.
pub(super) fn templates(masks: &[Masks<'_>]) -> Vec<String> {
    let mut root = Node::default();
    for (index, mask) in masks.iter().enumerate() {
        root.insert(index, mask);
    }
    root.fold(Place::Modules);
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

impl Node {
    /// Joins labels below this node.
    fn fold(&mut self, place: Place) {
        let keys = self.keys;
        for (label, child) in &mut self.children {
            let is_prefix =
                place == Place::Modules && !label.contains(MARK) && !is_rare(child.keys, keys, main_module());
            child.fold(if is_prefix { place } else { Place::behind(label) });
        }
        self.join_forms();
        self.join_last_words();
        self.join_languages();
        self.join_machines(place);
        self.split_labels(place);
        self.join_words(place);
        self.join_first_words();
        self.join_texts_of_words();
        self.join_numbered_texts();
        self.join_members();
        self.join_rare_labels();
        if place != Place::Modules {
            self.join_queues();
            self.join_scattered_paths();
        }
        self.join_paths();
    }
}
