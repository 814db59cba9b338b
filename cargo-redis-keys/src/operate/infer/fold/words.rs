//! The decision which words are values of a parameter.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::{Node, is_numbered, is_weak_or_strong, separator};
use crate::operate::infer::mask::{form, pure_form};

/// The shapes from which on two words are a parameter.
const MANY_SHAPES: usize = 3;

/// The number of words that are a parameter, by the keys that half of them have at most for each shape.
const MANY_WORDS: [(u64, u64); 4] = [(2, 10), (5, 20), (20, 40), (u64::MAX, 50)];

/// At the level of modules there are this many times as many.
const MODULES: u64 = 6;

/// The keys of a word that stays text between others with few keys each, and how many times as many it has.
const HEAVY: u64 = 100;
const TIMES: u64 = 20;

/// Languages, with which a region can be, as in `pt-BR`.
const LANGUAGES: &str = "ar bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv ms nb nl no pl pt ro ru \
                         sk sl sr sv th tr uk vi zh";

/// Regions of the world.
const REGIONS: [&str; 10] = ["africa", "ap", "apac", "asia", "emea", "eu", "latam", "na", "sa", "us"];

/// A label that could be a value.
pub(super) struct Word<'n> {
    pub(super) label: &'n str,
    pub(super) shapes: Vec<u64>,
    keys: u64,
    /// The number of words that it stands for.
    words: u64,
    /// The type of all keys, if all end with one more word.
    end_of_words: Option<u8>,
    /// Whether it is a name with a number, and only values follow.
    is_host: bool,
}

impl<'n> Word<'n> {
    pub(super) fn new(label: &'n str, node: &Node, are_blurred: bool) -> Self {
        let is_host =
            is_numbered(label) && node.kinds == 0 && node.children.keys().all(|label| pure_form(label).is_some());
        let end_of_words = node.only_last_words();
        let mut word =
            Self { label, shapes: node.shapes(are_blurred), keys: node.keys, words: 1, end_of_words, is_host };
        if word.is_joined() {
            word.words = node.words.max(1);
        }
        // Words with different separators have nothing in common.
        let hash = super::mixed(0, word.separator().as_bytes());
        word.shapes.iter_mut().for_each(|shape| *shape ^= hash);
        word
    }

    pub(super) fn separator(&self) -> &'n str {
        separator(self.label)
    }

    fn text(&self) -> &'n str {
        self.label.get(self.separator().len()..).unwrap_or_default()
    }

    /// Whether it stands for words that were joined before.
    fn is_joined(&self) -> bool {
        pure_form(self.label) == Some(form::TEXT)
    }

    /// The keys of each word for each shape.
    fn keys_per_shape(&self) -> u64 {
        self.keys / (self.words * self.shapes.len().max(1) as u64)
    }
}

/// Finds the labels of words that are values of one parameter, and their separator.
pub(super) fn parameter(words: &[Word<'_>], decision: Decision) -> Option<(String, Vec<String>)> {
    let mut by_shape = BTreeMap::<u64, Vec<usize>>::new();
    for (index, word) in words.iter().enumerate() {
        word.shapes.iter().for_each(|shape| by_shape.entry(*shape).or_default().push(index));
    }
    let mut groups: Vec<_> = by_shape.into_iter().filter(|(_, words)| words.len() > 1).collect();
    groups.sort_by_key(|(shape, words)| (Reverse(words.len()), *shape));
    let mut tried = BTreeSet::new();
    groups.into_iter().filter(|(_, group)| tried.insert(group.clone())).find_map(|(_, group)| {
        let group: Vec<_> = group.iter().filter_map(|index| words.get(*index)).collect();
        let labels = decision.parameter(&group).filter(|labels| labels.len() > 1)?;
        Some((group.first()?.separator().to_owned(), labels))
    })
}

#[derive(Clone, Copy)]
pub(super) struct Decision {
    pub(super) is_module: bool,
    /// Whether the shapes are less than certain.
    pub(super) are_blurred: bool,
}

impl Decision {
    /// The labels of these words that are values of a parameter. They have a shape in common.
    pub(super) fn parameter(self, group: &[&Word<'_>]) -> Option<Vec<String>> {
        let mut supports = BTreeMap::<u64, usize>::new();
        for word in group {
            word.shapes.iter().for_each(|shape| *supports.entry(*shape).or_default() += 1);
        }
        let needed = 2.max(group.len() / 5);
        supports.retain(|_, words| *words >= needed);
        let shares_most = |word: &&&Word<'_>| {
            let shared = word.shapes.iter().filter(|shape| supports.contains_key(shape)).count();
            // What else follows can be values as well.
            let has_all =
                shared >= MANY_SHAPES && shared * 10 >= supports.len() * 8 && shared * 10 >= word.shapes.len() * 3;
            shared * 10 >= word.shapes.len() * 6 || has_all
        };
        let mut members: Vec<_> = group.iter().filter(shares_most).copied().collect();
        let labels = |members: &[&Word<'_>]| Some(members.iter().map(|word| word.label.to_owned()).collect());
        let hosts: Vec<_> = members.iter().filter(|word| word.is_host || word.is_joined()).copied().collect();
        if hosts.len() >= 2 && !self.are_blurred {
            return labels(&hosts);
        }
        // Of `a:x`, `a:y`, `b:x` and `b:y`, either word can be the value.
        let end = members.first().and_then(|word| word.end_of_words);
        let is_table = end.is_some() && members.iter().all(|word| word.end_of_words == end);
        let is_ambiguous = is_table && members.len() < 2 * supports.len();
        if supports.len() >= MANY_SHAPES && !is_ambiguous && !self.are_blurred {
            let enough = if self.is_module { 3 } else { 2 };
            return if members.len() >= enough { labels(&members) } else { None };
        }
        // Beside a default and beside priorities are other names for the same.
        let member = |name: &str| members.iter().find(|word| word.text() == name).filter(|_| !self.is_module);
        let known = member("default").or_else(|| member("low").filter(|_| member("high").is_some()));
        if let Some(known) = known.filter(|_| !self.are_blurred) {
            let names: Vec<_> = members.iter().filter(|word| word.shapes == known.shapes).copied().collect();
            if names.len() >= 2 {
                return labels(&names);
            }
        }
        let regions: Vec<_> = members.iter().filter(|word| REGIONS.contains(&word.text())).copied().collect();
        if regions.len() >= 2 {
            return labels(&regions);
        }
        let codes: Vec<_> = members.iter().filter(|word| is_code(word.text())).copied().collect();
        if codes.len() >= 3 {
            return labels(&codes);
        }
        retain_light(&mut members);
        members.sort_by_key(|word| (word.keys_per_shape(), word.label));
        let words: u64 = members.iter().map(|word| word.words).sum();
        let mut half = words / 2;
        let median = members.iter().find_map(|word| {
            half = half.saturating_sub(word.words);
            (half == 0).then_some(word.keys_per_shape())
        });
        let (_, many) = MANY_WORDS.into_iter().find(|(keys, _)| median.is_some_and(|median| median <= *keys))?;
        let many = if self.is_module { many * MODULES } else { many };
        if words >= many { labels(&members) } else { None }
    }
}

/// Leaves out words with far more keys than almost all others.
fn retain_light(members: &mut Vec<&Word<'_>>) {
    let mut keys: Vec<_> = members.iter().map(|word| word.keys / word.words).collect();
    keys.sort_unstable();
    let most = keys.get(keys.len() * 9 / 10).copied().unwrap_or_default();
    members.retain(|word| word.is_joined() || word.keys < HEAVY || word.keys < most.saturating_mul(TIMES));
}

/// Whether a label is a language, perhaps with a region.
pub(super) fn is_language(label: &str) -> bool {
    let word = label.strip_prefix(is_weak_or_strong).unwrap_or(label);
    let (language, region) =
        word.split_once(['-', '_']).map_or((word, None), |(language, region)| (language, Some(region)));
    let is_region = |region: &str| region.len() == 2 && region.bytes().all(|byte| byte.is_ascii_alphabetic());
    language.len() == 2 && region.is_none_or(is_region) && LANGUAGES.split_whitespace().any(|known| known == language)
}

/// Whether a label is one of the languages that most translated programs have, and that are no common word.
pub(super) fn is_widespread(label: &str) -> bool {
    let word = label.strip_prefix(is_weak_or_strong).unwrap_or(label);
    ["en", "de", "fr", "es", "ja", "zh"].iter().any(|language| word.starts_with(language))
}

/// Whether this could be a code, such as that of a country, of a currency or of a type of records.
fn is_code(word: &str) -> bool {
    (1..=4).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
