//! The templates with parameters of text that have been found already, so that new keys are counted at once.

use std::collections::HashMap;

use super::mask::{MARK, Observation, form, is_separator, is_strong, is_weak, pure_form, split};

/// Templates with parameters of text, as a tree of their labels.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownTemplates {
    nodes: Vec<Node>,
}

#[derive(Clone, Debug, Default)]
struct Node {
    children: HashMap<Box<str>, usize>,
    /// The labels with text and other words.
    patterns: Vec<(Box<str>, usize)>,
    /// The label that is text and nothing else, by separator.
    texts: Vec<(Option<u8>, Box<str>, usize)>,
    /// The label for all other segments, by separator.
    rests: Vec<(Option<u8>, Box<str>)>,
    is_end: bool,
}

impl KnownTemplates {
    /// Knows these templates, except templates without text.
    pub(super) fn new<'t>(templates: impl Iterator<Item = &'t str>) -> Self {
        let mut known = Self::default();
        let marks = [form::TEXT, form::REST].map(|form| format!("{MARK}{form}"));
        for template in templates.filter(|template| marks.iter().any(|mark| template.contains(mark))) {
            let mut node = known.root();
            for label in split(template, is_strong) {
                node = known.child(node, label);
            }
            if let Some(node) = known.nodes.get_mut(node) {
                node.is_end = true;
            }
        }
        // The order in which they are found does not matter.
        known.nodes.iter_mut().for_each(|node| node.patterns.sort());
        known
    }

    fn root(&mut self) -> usize {
        if self.nodes.is_empty() {
            self.nodes.push(Node::default());
        }
        0
    }

    fn child(&mut self, node: usize, label: &str) -> usize {
        let new = self.nodes.len();
        let Some(node) = self.nodes.get_mut(node) else { return 0 };
        if let Some(child) = node.children.get(label) {
            return *child;
        }
        node.children.insert(label.into(), new);
        match pure_form(label) {
            Some(form::TEXT) => node.texts.push((separator(label), label.into(), new)),
            Some(form::REST) => node.rests.push((separator(label), label.into())),
            None if label.contains(MARK) => node.patterns.push((label.into(), new)),
            _ => {}
        }
        self.nodes.push(Node::default());
        new
    }

    /// A mask's template, if one of these templates fits. The label itself comes first, then text.
    pub(super) fn template_of(&self, mask: &str) -> Option<String> {
        let mut template = String::with_capacity(mask.len());
        let mut rest = None;
        let mut place = 0;
        for label in split(mask, is_strong) {
            let node = self.nodes.get(place)?;
            let separator = separator(label);
            if let Some((_, label)) = node.rests.iter().find(|(known, _)| *known == separator) {
                rest = Some((template.len(), &**label));
            }
            let exact = || node.children.get_key_value(label).map(|(label, child)| (label, *child));
            let by_pattern = || {
                node.patterns.iter().find(|(pattern, _)| matches(pattern, label)).map(|(label, child)| (label, *child))
            };
            let text =
                || node.texts.iter().find(|(known, ..)| *known == separator).map(|(_, label, child)| (label, *child));
            let Some((label, child)) = exact().or_else(by_pattern).or_else(text) else {
                place = usize::MAX;
                break;
            };
            template.push_str(label);
            place = child;
        }
        if self.nodes.get(place).is_some_and(|node| node.is_end) {
            return Some(template);
        }
        let (length, rest) = rest?;
        template.truncate(length);
        template.push_str(rest);
        Some(template)
    }
}

/// The separator of segments with which a label begins.
fn separator(label: &str) -> Option<u8> {
    label.bytes().next().filter(|byte| is_strong(*byte))
}

/// Whether a label has a pattern.
fn matches(pattern: &str, label: &str) -> bool {
    let first = |text: &str| text.bytes().next().filter(|byte| is_weak(*byte) || is_strong(*byte));
    pairs(pattern, label).is_some_and(|pairs| {
        pairs.iter().all(|(pattern, word)| {
            pattern == word || pure_form(pattern) == Some(form::TEXT) && first(pattern) == first(word)
        })
    })
}

/// A pattern's words, each with its part of a label. The first word that is text can stand for several words.
fn pairs<'t>(pattern: &'t str, label: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
    let patterns: Vec<_> = split(pattern, is_weak).collect();
    let words: Vec<_> = split(label, is_weak).collect();
    let more = words.len().checked_sub(patterns.len())?;
    if more == 0 {
        return Some(patterns.into_iter().zip(words).collect());
    }
    let place = [form::TEXT, form::EMAIL]
        .into_iter()
        .find_map(|form| patterns.iter().position(|pattern| pure_form(pattern) == Some(form)))?;
    let start: usize = words.iter().take(place).map(|word| word.len()).sum();
    let length: usize = words.iter().skip(place).take(more + 1).map(|word| word.len()).sum();
    let text = label.get(start..start + length)?;
    let words = words.iter().take(place).copied().chain([text]).chain(words.iter().skip(place + more + 1).copied());
    Some(patterns.into_iter().zip(words).collect())
}

/// The observations about a template's parameters, from the values of a mask of the template.
pub(super) fn align(template: &str, mask: &str, observed: &[Observation]) -> Vec<Observation> {
    let mut aligned = Vec::new();
    let mut observed = observed.iter();
    let mut labels = split(mask, is_strong).peekable();
    for pattern in split(template, is_strong) {
        if pure_form(pattern) == Some(form::REST) {
            let rest: String = labels.by_ref().collect();
            aligned.push(joined(&rest, &mut observed));
            break;
        }
        let Some(label) = labels.next() else { break };
        match pairs(pattern, label) {
            Some(pairs) => {
                for (pattern, word) in pairs {
                    align_word(pattern, word, &mut observed, &mut aligned);
                }
            }
            None => align_word(pattern, label, &mut observed, &mut aligned),
        }
    }
    aligned
}

fn align_word<'o>(
    pattern: &str,
    word: &str,
    observed: &mut impl Iterator<Item = &'o Observation>,
    aligned: &mut Vec<Observation>,
) {
    let marks = |text: &str| text.matches(MARK).count();
    let is_joined = pure_form(pattern).is_some() && pure_form(word) != pure_form(pattern);
    if is_joined || marks(pattern) != marks(word) {
        if pure_form(word).is_some() && pure_form(pattern) != Some(form::TEXT) {
            aligned.extend(observed.next().cloned());
        } else {
            aligned.push(joined(word, observed));
        }
    } else {
        aligned.extend(observed.take(marks(word)).cloned());
    }
}

/// A single value for a text with its marks' values.
fn joined<'o>(text: &str, observed: &mut impl Iterator<Item = &'o Observation>) -> Observation {
    let text = text.strip_prefix(is_separator).unwrap_or(text);
    let mut literal = String::with_capacity(text.len());
    let mut marks = 0;
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        if sign == MARK {
            signs.next();
            marks += 1;
        } else {
            literal.push(sign);
        }
    }
    let mut observed = observed.take(marks).peekable();
    let prefix = match text.split_once(MARK) {
        Some(("", _)) => observed.peek().map_or("", |first| &first.prefix).to_owned(),
        _ => text.split(MARK).next().unwrap_or_default().to_owned(),
    };
    Observation::joined(&literal, observed).with_prefix(&prefix)
}
