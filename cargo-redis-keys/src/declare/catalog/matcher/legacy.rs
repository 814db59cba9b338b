//! The legacy texts of a catalog.
//!
//! The literal text before the first field selects candidates, and the types of their fields decide. If several remain,
//! the candidate with most literal text is found, and among equals the candidate with the narrowest types. A key that
//! `legacy` refuses to write, because a value contains the text that ends it, was possibly written by the code before:
//! it is found if no other text can give it.

use std::cmp::Reverse;
use std::collections::HashMap;

use redis_keys_core::schema::{Parameters, Schema};
use redis_keys_schema::legacy::{Glob, Legacy};
use redis_keys_schema::limits::MAX_LEGACY_KEY_BYTES;
use redis_keys_schema::values_of_type;

use super::{Match, TextKind};
use crate::declare::catalog::{Key, Values};

/// The legacy texts of a catalog, by the literal text before their first fields.
#[derive(Clone, Debug, Default)]
pub(super) struct LegacyTexts {
    /// The prefix of all keys with legacy texts.
    pub(super) prefix: Box<[u8]>,
    /// The texts, the most specific first.
    texts: Vec<Text>,
    /// The indexes of the texts that start with a literal.
    by_start: HashMap<Box<[u8]>, Vec<usize>>,
    /// The lengths of these literals.
    lengths: Vec<usize>,
}

/// A legacy text.
#[derive(Clone, Debug)]
struct Text {
    found: Match,
    start: Box<[u8]>,
    /// The number of bytes that are the same in all keys.
    literal_bytes: usize,
    /// The keys that the declaration can write.
    keys: Glob,
    /// The keys that code without its checks can write.
    unchecked: Glob,
}

impl LegacyTexts {
    /// Adds the text of a declaration, if it has a text. `None` if the text cannot be read.
    pub(super) fn add(&mut self, index: usize, key: &Key) -> Option<()> {
        if key.legacy.is_none() && key.formerly.is_none() {
            return Some(());
        }
        let legacy = legacy_of(key)?;
        let unchecked = Legacy { ambiguous: true, ..legacy.clone() };
        self.texts.push(Text {
            found: Match {
                declaration: index,
                text: TextKind::Legacy,
                is_in_use: legacy.in_use,
                is_ambiguous: legacy.ambiguous,
            },
            start: legacy.literals.first()?.as_bytes().into(),
            literal_bytes: legacy.literals.iter().map(String::len).sum(),
            keys: legacy.glob(),
            unchecked: unchecked.glob(),
        });
        Some(())
    }

    /// Sorts the texts, after the last text was added.
    pub(super) fn finish(&mut self) {
        self.texts.sort_by_key(|text| (Reverse(text.literal_bytes), !text.found.is_in_use, text.keys.breadth()));
        for (index, text) in self.texts.iter().enumerate() {
            self.by_start.entry(text.start.clone()).or_default().push(index);
        }
        self.lengths = self.by_start.keys().map(|start| start.len()).collect();
        self.lengths.sort_unstable();
        self.lengths.dedup();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The most specific text that can give this key.
    pub(super) fn find(&self, key: &[u8]) -> Option<Match> {
        if key.len() > MAX_LEGACY_KEY_BYTES {
            return None;
        }
        let text = key.strip_prefix(&*self.prefix)?;
        let starts = self.lengths.iter().map_while(|length| text.get(..*length));
        let mut candidates: Vec<usize> =
            starts.filter_map(|start| self.by_start.get(start)).flatten().copied().collect();
        candidates.sort_unstable();
        let candidates = || candidates.iter().filter_map(|index| self.texts.get(*index));
        let found = candidates().find(|candidate| candidate.keys.matches(text));
        found.or_else(|| candidates().find(|candidate| candidate.unchecked.matches(text))).map(|text| text.found)
    }

    /// Whether a text that starts with a literal can give the key behind any prefix. The time for that grows with the
    /// square of the key's length.
    pub(super) fn finds_behind_a_prefix(&self, key: &[u8]) -> bool {
        if key.len() > MAX_LEGACY_KEY_BYTES {
            return false;
        }
        let with_literal = |text: &&Text| !text.start.is_empty();
        self.texts.iter().filter(with_literal).any(|text| {
            let starts = key.windows(text.start.len()).enumerate().filter(|(_, window)| *window == &*text.start);
            starts.filter_map(|(at, _)| key.get(at..)).any(|rest| text.unchecked.matches(rest))
        })
    }
}

/// The legacy text of a declaration. A type that has only the name of a known type can have any text.
pub(crate) fn legacy_of(key: &Key) -> Option<Legacy> {
    let parameters: Parameters<String> = key.parameters.iter().map(|parameter| parameter.declared.clone()).collect();
    let schema: Schema<String> = key.schema.clone().map(|text| text, |_| parameters);
    let mut legacy = Legacy::of_schema(&schema)?;
    for field in &mut legacy.fields {
        let known = values_of_type(&field.ty).map(Values::from);
        let is_primitive = !field.ty.contains(char::is_uppercase);
        let declared = key.parameters.get(field.parameter).and_then(|parameter| parameter.values.clone());
        if !is_primitive && (known.is_none() || known != declared) {
            field.ty.clear();
        }
    }
    Some(legacy)
}
