//! Declarations whose keys can be the same.
//!
//! A parameter never renders a `:`. So two keys can be the same only if they have the same number of segments, and each pair
//! of segments can be the same.

mod index;
#[cfg(test)]
mod tests;

pub use index::{Declared, Index};
pub use redis_keys_core::ValueSet;

use redis_keys_core::KeyPattern;

use crate::declaration::Declaration;
use crate::item::Item;
use crate::rust_type;
use crate::template::{Encoding, Part, Placeholder};
use crate::warning::OVERLAP;

/// The keys that a declaration can produce.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// What overlapping keys have in common: module, type, number of segments, and the place of the hash tag's braces.
    pub group: String,
    /// The text between the module and the type, with `{}` for each parameter.
    pub text: String,
    /// The values of the parameters: any, where only the compiler knows them.
    pub values: Vec<ValueSet>,
    /// The parameters whose values only the compiler knows, in order.
    pub typed: Vec<TypedParameter>,
}

/// A parameter whose values follow from its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedParameter {
    /// Its number among the parameters of the key.
    pub parameter: usize,
    /// The number of the field that has its type.
    pub field: usize,
}

impl Pattern {
    /// The pattern of a declaration, or `None` if it allows overlaps.
    pub fn of(item: &Item<'_>, declaration: &Declaration) -> Option<Self> {
        let template = declaration.template.as_ref().ok()?;
        let mut allowed = declaration.options.allow.iter().filter_map(|lint| lint.value.as_deref());
        if allowed.any(|lint| lint == OVERLAP) {
            return None;
        }
        let mut pattern = Self::default();
        let mut tag = String::new();
        let mut whole = String::new();
        for part in &template.parts {
            match part {
                // Literal braces are those of the hash tag.
                Part::Literal(text) => whole.extend(text.chars().filter(|char| !matches!(char, '{' | '}'))),
                Part::Placeholder(placeholder) => {
                    if placeholder.hash_tag {
                        // No parameter renders a brace, so keys are the same only if their tags are in the same place.
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
        // A key of a module and a type alone has no text between them.
        let (text, kind) = rest.rsplit_once(':').unwrap_or(("", rest));
        text.clone_into(&mut pattern.text);
        pattern.group = format!("{module}:{kind}:{count}:{tag}");
        Some(pattern)
    }

    /// The pattern as far as it is known without the compiler.
    pub fn keys(&self) -> KeyPattern<'_> {
        KeyPattern::new(&self.text, &self.values)
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
            self.typed.push(TypedParameter { parameter: self.values.len(), field });
        }
        self.values.push(known.unwrap_or_default());
    }
}
