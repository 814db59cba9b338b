//! Declarations whose keys can be the same.
//!
//! A parameter never prints a `:`, so two keys can be the same only where they have as many segments, and each segment can be
//! the same.

mod register;
#[cfg(test)]
mod tests;

pub use register::{Declared, Register};

use redis_keys_core::{KeyPattern, ValueSet};

use crate::declaration::Declaration;
use crate::item::Item;
use crate::lint::OVERLAP;
use crate::rust_type;
use crate::template::{Encoding, Part, Placeholder};

/// A key, seen as what other keys it can be the same as.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// What two keys must have in common: module, type, number of segments, and the place of the hash tag's braces.
    pub group: String,
    /// What stands between the module and the type, with `{}` for each parameter.
    pub text: String,
    /// What the parameters print: anything, where only the compiler knows it.
    pub prints: Vec<ValueSet>,
    /// Of which parameters only the compiler knows it, in order.
    pub typed: Vec<Typed>,
}

/// A parameter whose type tells the compiler what it prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typed {
    /// Its number among the parameters of the key.
    pub parameter: usize,
    /// The number of the field whose type it has.
    pub field: usize,
}

impl Pattern {
    /// How the keys of a declaration look, or `None` where they may meet others.
    pub fn of(item: &Item<'_>, declaration: &Declaration) -> Option<Self> {
        let template = declaration.template.as_ref()?;
        let mut allowed = declaration.options.allow.iter().filter_map(|lint| lint.value.as_deref());
        if allowed.any(|lint| lint == OVERLAP) {
            return None;
        }
        let mut pattern = Self::default();
        let mut tag = String::new();
        let mut whole = String::new();
        for part in &template.parts {
            match part {
                // The braces are those of the tag, which is a word like others.
                Part::Literal(text) => whole.extend(text.chars().filter(|char| !matches!(char, '{' | '}'))),
                Part::Placeholder(placeholder) => {
                    if placeholder.hash_tag {
                        // The braces are never what a parameter prints, so tags meet only in the same place.
                        let words = whole.rsplit(':').next().map_or(0, |segment| segment.matches('.').count());
                        tag = format!("{}.{words}.{}", whole.matches(':').count(), placeholder.whole_segment);
                    }
                    whole.push_str("{}");
                    pattern.push(item, placeholder);
                }
            }
        }
        let count = whole.matches(':').count() + 1;
        let (module, rest) = whole.split_once(':')?;
        // A key of a module and a type alone has nothing in between.
        let (text, kind) = rest.rsplit_once(':').unwrap_or(("", rest));
        text.clone_into(&mut pattern.text);
        pattern.group = format!("{module}:{kind}:{count}:{tag}");
        Some(pattern)
    }

    /// The keys, with what is known of them without the compiler.
    pub fn keys(&self) -> KeyPattern<'_> {
        KeyPattern::new(&self.text, &self.prints)
    }

    fn push(&mut self, item: &Item<'_>, placeholder: &Placeholder) {
        let numbers = placeholder.shards.or(placeholder.copies).map(|count| ValueSet::up_to(u128::from(count) - 1));
        let known = match placeholder.encoding {
            // 128 bits.
            Some(Encoding::Digest) => Some(ValueSet::Hex { digits: 32 }),
            Some(Encoding::Base32) => Some(ValueSet::Base32),
            None => numbers.or_else(|| rust_type::values_of(item.fields.get(placeholder.field?)?.ty)),
        };
        if let (None, Some(field)) = (known, placeholder.field) {
            self.typed.push(Typed { parameter: self.prints.len(), field });
        }
        self.prints.push(known.unwrap_or_default());
    }
}
