//! What can stand where in a key: from this the compiler finds declarations whose keys can be the same.
//!
//! A parameter never prints a `:`, so two keys can be the same only where they have as many segments, and each segment can be
//! the same.

mod prints;
#[cfg(test)]
mod tests;

pub use prints::{Form, Prints};

use crate::declaration::Declaration;
use crate::item::Item;
use crate::lint::OVERLAP;
use crate::template::{Encoding, Part, Placeholder};

/// A key, seen as what other keys it can be the same as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// What two keys must have in common: module, type, number of segments, and the place of the hash tag's braces.
    pub group: String,
    /// The segments between the module and the type.
    pub segments: Vec<Vec<Word>>,
}

/// What stands between two separators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// Text that is the same in each key.
    Text(String),
    /// The value of a field.
    Parameter {
        /// The number of the field. A key's own copies have none.
        field: Option<usize>,
        /// What it prints, where that is known without the compiler.
        prints: Option<Prints>,
    },
}

impl Pattern {
    /// How the keys of a declaration look, or `None` where they may meet others.
    pub fn of(item: &Item<'_>, declaration: &Declaration) -> Option<Self> {
        let template = declaration.template.as_ref()?;
        let mut allowed = declaration.options.allow.iter().filter_map(|lint| lint.value.as_deref());
        if allowed.any(|lint| lint == OVERLAP) {
            return None;
        }
        let mut segments = vec![vec![]];
        let mut tag = String::new();
        for part in &template.parts {
            match part {
                Part::Literal(text) => push_text(text, &mut segments),
                Part::Placeholder(placeholder) => {
                    if placeholder.hash_tag {
                        // The braces are never what a parameter prints, so tags meet only in the same place.
                        let words = segments.last().map_or(0, Vec::len);
                        tag = format!("{}.{words}.{}", segments.len(), placeholder.whole_segment);
                    }
                    if let Some(words) = segments.last_mut() {
                        words.push(parameter(item, placeholder));
                    }
                }
            }
        }
        let count = segments.len();
        let (first, last) = (segments.remove(0), segments.pop()?);
        let group = format!("{}:{}:{count}:{tag}", joined(&first), joined(&last));
        Some(Self { group, segments })
    }
}

fn push_text(text: &str, segments: &mut Vec<Vec<Word>>) {
    for (number, segment) in text.split(':').enumerate() {
        if number > 0 {
            segments.push(Vec::new());
        }
        let words = segment.split('.').map(|word| word.trim_matches(['{', '}'])).filter(|word| !word.is_empty());
        if let Some(segment) = segments.last_mut() {
            segment.extend(words.map(|word| Word::Text(word.to_owned())));
        }
    }
}

fn parameter(item: &Item<'_>, placeholder: &Placeholder) -> Word {
    let prints = match placeholder.encoding {
        // 128 bits, in the digits that a `Uuid` has.
        Some(Encoding::Digest) => Some(Prints::UuidDigits),
        Some(Encoding::Base32) => Some(Prints::Anything),
        None if placeholder.shards.is_some() || placeholder.copies.is_some() => Some(Prints::WholeNumber),
        None => placeholder.field.and_then(|number| Prints::of_type(item.fields.get(number)?.ty)),
    };
    Word::Parameter { field: placeholder.field, prints }
}

fn joined(words: &[Word]) -> String {
    let text = |word: &Word| match word {
        Word::Text(text) => text.clone(),
        Word::Parameter { .. } => String::new(),
    };
    words.iter().map(text).collect::<Vec<_>>().join(".")
}
