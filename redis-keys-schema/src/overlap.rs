//! Declarations whose keys can be the same.
//!
//! A parameter never renders a `:`. So two keys can be the same only if they have the same number of segments, and each
//! pair of segments can be the same.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use redis_keys_core::KeyPattern;
pub use redis_keys_core::ValueSet;

use crate::declaration::Declaration;
use crate::item::Item;
use crate::legacy::Glob;
use crate::rust_type::values_of_scalar;
use crate::template::{Part, Placeholder};
use crate::warning::OVERLAP;

/// The keys that a declaration can produce.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The part that overlapping keys have in common: module, type, number of segments, and the place of the hash
    /// tag's braces.
    pub group: String,
    /// The text between the module and the type, with `{}` for each parameter.
    pub text: String,
    /// The parameters' values: any, where only the compiler knows them.
    pub values: Vec<ValueSet>,
    /// The parameters whose values only the compiler knows, in order.
    pub typed: Vec<TypedParameter>,
}

/// A parameter whose values follow from its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypedParameter {
    /// Its index among the key's parameters.
    pub parameter: usize,
    /// The index of the field that has its type.
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
                // Literal braces are the braces of the hash tag.
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

    /// The whole text of the template, with `{}` for each parameter.
    pub fn whole(&self) -> String {
        let mut group = self.group.splitn(4, ':');
        let [module, kind, _, tag] = [(); 4].map(|()| group.next().unwrap_or_default());
        let segments = [module].into_iter().chain(self.text.split(':').filter(|text| !text.is_empty())).chain([kind]);
        let mut tag = tag.split('.').map(str::parse);
        let tag: Option<(usize, usize)> = match (tag.next(), tag.next()) {
            (Some(Ok(segment)), Some(Ok(word))) => Some((segment, word)),
            _ => None,
        };
        let with_tag = |(index, segment): (usize, &str)| match tag {
            Some((at, word)) if at == index => {
                let words = segment.split('.').enumerate();
                let words =
                    words.map(|(index, text)| if index == word { format!("{{{text}}}") } else { text.to_owned() });
                words.collect::<Vec<_>>().join(".")
            }
            _ => segment.to_owned(),
        };
        segments.enumerate().map(with_tag).collect::<Vec<_>>().join(":")
    }

    /// The keys, as legacy texts are compared with them.
    pub fn glob(&self) -> Glob {
        let mut glob = Glob::default();
        let mut values = self.values.iter();
        for (index, literal) in self.whole().split("{}").enumerate() {
            if index > 0 {
                glob.push_parameter(values.next().unwrap_or(&ValueSet::Any));
            }
            glob.push_literal(literal);
        }
        glob
    }

    fn push(&mut self, item: &Item<'_>, placeholder: &Placeholder) {
        let field = placeholder.field.and_then(|field| item.fields.get(field));
        let known = placeholder.form().values().or_else(|| values_of_scalar(field?.ty));
        if let (None, Some(field)) = (known, placeholder.field) {
            self.typed.push(TypedParameter { parameter: self.values.len(), field });
        }
        self.values.push(known.unwrap_or_default());
    }
}

/// The number of certain overlaps of one declaration that are returned. Further overlaps add nothing new.
const MAX_CERTAIN: usize = 8;

/// The number of declarations with the same text that are returned if types decide: so many types in one place are
/// hardly all distinct.
const MAX_SAME_TEXT: usize = 32;

/// A crate's declarations, in the order in which they were added: an index by their literal segments, so that each is
/// compared with few others.
#[derive(Clone, Debug, Default)]
pub struct Index {
    groups: HashMap<String, Group>,
}

/// A declaration in the index.
#[derive(Clone, Debug)]
pub struct IndexEntry {
    /// The number that identifies it.
    pub number: u64,
    /// The keys that it can produce.
    pub pattern: Pattern,
    /// Whether keys have its template: a legacy text is in use otherwise.
    pub is_in_use: bool,
}

#[derive(Clone, Debug, Default)]
struct Group {
    declared: Vec<IndexEntry>,
    /// The declarations with this literal, or with a parameter (`None`), in the segment at this index.
    by_segment: HashMap<(usize, Option<String>), Vec<usize>>,
}

impl Index {
    /// Adds a declaration, and returns the earlier declarations that overlap with it, as far as it is known without the
    /// compiler.
    pub fn add(&mut self, declared: IndexEntry) -> Vec<IndexEntry> {
        let group = self.groups.entry(declared.pattern.group.clone()).or_default();
        let overlapping = group.overlapping(&declared.pattern);
        group.add(declared);
        overlapping
    }

    /// The declarations whose template is in use.
    pub fn in_use(&self) -> impl Iterator<Item = &IndexEntry> {
        self.groups.values().flat_map(|group| &group.declared).filter(|declared| declared.is_in_use)
    }
}

impl Group {
    fn add(&mut self, declared: IndexEntry) {
        let index = self.declared.len();
        for segment in segments(&declared.pattern.text) {
            self.by_segment.entry(segment).or_default().push(index);
        }
        self.declared.push(declared);
    }

    fn overlapping(&self, pattern: &Pattern) -> Vec<IndexEntry> {
        let mut overlapping = Vec::new();
        let (mut certain, mut same_text) = (0, 0);
        for declared in self.candidates(pattern) {
            if !declared.pattern.keys().overlaps(pattern.keys()) {
                continue;
            }
            if declared.pattern.typed.is_empty() && pattern.typed.is_empty() {
                certain += 1;
            } else if declared.pattern.text == pattern.text {
                same_text += 1;
            }
            if certain > MAX_CERTAIN {
                break;
            }
            if same_text > MAX_SAME_TEXT && declared.pattern.text == pattern.text {
                continue;
            }
            overlapping.push(declared.clone());
            if certain > 0 && declared.pattern == *pattern {
                // Its own overlaps have been reported.
                break;
            }
        }
        overlapping
    }

    /// The declarations that match in the most selective segment.
    fn candidates(&self, pattern: &Pattern) -> Vec<&IndexEntry> {
        let with = |segment| self.by_segment.get(&segment).map(Vec::as_slice).unwrap_or_default();
        let literals = segments(&pattern.text).filter(|(_, literal)| literal.is_some());
        let sets = literals.map(|(index, literal)| [with((index, literal)), with((index, None))]);
        let Some([same, parameter]) = sets.min_by_key(|[same, parameter]| same.len() + parameter.len()) else {
            return self.declared.iter().collect();
        };
        let mut indices = [same, parameter].concat();
        indices.sort_unstable();
        indices.into_iter().filter_map(|index| self.declared.get(index)).collect()
    }
}

/// The segments with their indices, `None` for a segment with a parameter.
fn segments(text: &str) -> impl Iterator<Item = (usize, Option<String>)> {
    text.split(':').map(|segment| (!segment.contains("{}")).then(|| segment.to_owned())).enumerate()
}
