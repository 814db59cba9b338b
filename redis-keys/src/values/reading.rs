//! What a type asks for at a place, as its `Deserialize` has shown it.

use std::collections::{BTreeMap, BTreeSet};

use redis_keys_core::value_shape::Number;

use super::candidates::{BYTES, NUMBERS, TEXTS};
use super::step::PlaceId;

/// The names of the alternatives of an enum without a tag, by their order.
const ALTERNATIVES: [&str; 32] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20",
    "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32",
];

/// What is known of reading at a place.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// What the type asks for.
    pub(super) kind: Option<Kind>,
    /// The index of the value that is given.
    pub(super) candidate: usize,
    /// Whether the type rejects no value of it, although it rejects a value that it is part of.
    pub(super) is_innocent: bool,
    /// Whether no value is known that the type accepts.
    pub(super) is_opaque: bool,
    /// The reason why the option, list or map is left empty.
    pub(super) left_empty: Option<LeftEmpty>,
    /// The values that the type's own rules reject.
    pub(super) rejects: Vec<&'static str>,
    /// Texts and numbers that an error has named: the variants of an enum.
    pub(super) named_texts: Vec<&'static str>,
    pub(super) named_numbers: Vec<u64>,
    pub(super) fields: Fields,
    pub(super) variants: Variants,
    pub(super) buffered: Buffered,
}

/// The reason why an option, a list or a map is left empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LeftEmpty {
    /// Its content is opaque.
    Opaque,
    /// Its content is of the type around it, and is given later.
    Recursive,
}

/// What is known of the fields of a struct.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// Other names of fields, each with the field's name.
    pub(super) aliases: BTreeMap<String, &'static str>,
    /// Fields that are given first, so that the next duplicate is an alias.
    pub(super) first: BTreeSet<&'static str>,
    /// The names of a struct whose fields serde buffers, as far as they are known.
    pub(super) names: Vec<String>,
    /// All names of such a struct, if the error of an unknown field has listed them.
    pub(super) declared: Vec<String>,
    /// Whether a value without the field is accepted.
    pub(super) can_be_missing: BTreeMap<String, bool>,
    pub(super) rejects_others: bool,
    /// Whether the two fields are the tag and the content of an enum.
    pub(super) is_adjacent: bool,
}

/// What is known of the variants of an enum.
#[derive(Debug, Default)]
pub(super) struct Variants {
    /// Those of which a value has been made.
    pub(super) done: BTreeSet<&'static str>,
    /// Those of which no value can be made.
    pub(super) failed: BTreeSet<&'static str>,
    /// Those of which no value can be made before the recursion inside them can end.
    pub(super) postponed: BTreeSet<&'static str>,
    /// Those without a recursion, which end one.
    pub(super) simple: BTreeSet<&'static str>,
    pub(super) reads_others: bool,
}

/// What is known of a value that serde buffers, or whose type accepts several kinds of values.
#[derive(Debug, Default)]
pub(super) struct Buffered {
    pub(super) guess: Guess,
    /// The kinds of which all values were rejected. They are not tried anew.
    pub(super) tried: Vec<Guess>,
    /// Whether an error has called it a struct, which has no tag.
    pub(super) is_struct: bool,
    /// When it was found to be a map: among several, the latest one lacks a field.
    pub(super) became_map: usize,
    /// The tag of an enum, and its variants.
    pub(super) tag: Option<(String, &'static [&'static str])>,
    pub(super) untagged: Option<Untagged>,
    /// The place around it with the same tag and variants: an enum inside itself.
    pub(super) recursive: Option<PlaceId>,
    pub(super) accepts: Vec<Guess>,
    /// It has rejected another kind of value by a message of its own, or as an enum without a tag that is not known.
    pub(super) has_own_rules: bool,
}

/// An enum without a tag.
#[derive(Clone, Debug)]
pub(super) struct Untagged {
    pub(super) name: String,
    /// The number of alternatives.
    pub(super) len: usize,
    /// The enums that are alternatives themselves. Theirs are among the alternatives.
    pub(super) inlined: Vec<String>,
}

/// What a type asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Leaf(Leaf),
    Option,
    List,
    Tuple(usize),
    Map,
    Unit,
    Newtype,
    Struct(&'static [&'static str]),
    /// A struct with `flatten`.
    Flattened,
    Enum(&'static [&'static str]),
    /// Anything: serde buffers the value, or the type decides by what it is given.
    Buffered,
    /// The type of the place around it.
    Recursive(PlaceId),
}

/// A value without parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    Unit,
    Bool,
    Char,
    Text,
    Bytes,
    Number(Number),
    /// The tag of an enum.
    Identifier,
}

/// What a buffered value is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Guess {
    #[default]
    Text,
    Number,
    Float,
    Bool,
    Unit,
    List,
    Tuple(usize),
    Map,
}

impl Guess {
    /// The kinds of values that buffered values are tried with.
    pub(super) const ALL: [Self; 7] =
        [Self::Text, Self::Number, Self::Float, Self::Bool, Self::Unit, Self::EMPTY_LIST, Self::Map];

    /// A list without elements, of which it does not matter what they are.
    pub(super) const EMPTY_LIST: Self = Self::Tuple(0);

    /// Returns the kind of value that an error expects.
    pub(super) fn from_expected(expected: &str) -> Option<Self> {
        let expected = expected.strip_prefix("a ").or(expected.strip_prefix("an ")).unwrap_or(expected);
        let is = |starts: &[&str]| starts.iter().any(|start| expected.starts_with(start));
        let guess = match expected {
            "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize"
            | "integer" => Self::Number,
            "f32" | "f64" => Self::Float,
            "boolean" => Self::Bool,
            _ if is(&["unit"]) => Self::Unit,
            _ if is(&["struct", "map", "internally tagged", "adjacently tagged"]) => Self::Map,
            _ if is(&["tuple", "array"]) => Self::tuple(expected),
            _ if is(&["sequence"]) => Self::List,
            _ if expected.contains("string") || is(&["borrowed str"]) => Self::Text,
            _ => return None,
        };
        Some(guess)
    }

    /// Returns the length that is named, as in `tuple of size 2` and `array of length 4`.
    fn tuple(expected: &str) -> Self {
        let numbers = expected.split(|c: char| !c.is_ascii_digit());
        let len = numbers.filter_map(|digits| digits.parse().ok()).find(|len| *len <= 64);
        len.map_or(Self::List, Self::Tuple)
    }

    /// Returns the kind to try after this one, if nothing is known.
    fn next(self) -> Option<Self> {
        let index = Self::ALL.iter().position(|guess| *guess == self)?;
        Self::ALL.get(index + 1).copied()
    }
}

impl Reading {
    /// Takes the next value that the place is given. `false` if there is none.
    pub(super) fn next_candidate(&mut self) -> bool {
        if self.alternatives().is_some() {
            return false;
        }
        self.candidate += 1;
        if self.candidate < self.candidates() {
            return true;
        }
        if self.kind != Some(Kind::Buffered) || !self.fields.names.is_empty() {
            return false;
        }
        let Some(guess) = self.buffered.guess.next() else { return false };
        self.buffered.tried.push(std::mem::replace(&mut self.buffered.guess, guess));
        self.candidate = 0;
        true
    }

    /// Returns the number of values that the place can be given.
    fn candidates(&self) -> usize {
        match &self.kind {
            Some(Kind::Leaf(Leaf::Text | Leaf::Identifier)) => TEXTS.len(),
            Some(Kind::Leaf(Leaf::Bytes)) => BYTES.len(),
            Some(Kind::Leaf(Leaf::Bool)) => 2,
            Some(Kind::Leaf(Leaf::Number(_))) => NUMBERS.len() + self.named_numbers.len(),
            Some(Kind::Buffered) => match self.buffered.guess {
                // The first text is one that no other place is given.
                Guess::Text if self.named_texts.is_empty() => TEXTS.len() + 1,
                Guess::Text => self.named_texts.len() + 1,
                Guess::Number => NUMBERS.len() + self.named_numbers.len() + 1,
                _ => 1,
            },
            _ => 0,
        }
    }

    /// Returns the names of the alternatives, if it is an enum without a tag.
    pub(super) fn alternatives(&self) -> Option<&'static [&'static str]> {
        ALTERNATIVES.get(..self.buffered.untagged.as_ref()?.len)
    }

    /// Returns the variants, if it is an enum.
    pub(super) fn variant_names(&self) -> Option<&'static [&'static str]> {
        if let Some(names) = self.alternatives() {
            return Some(names);
        }
        match (&self.kind, &self.buffered.tag) {
            (Some(Kind::Enum(variants)), _) | (_, Some((_, variants))) => Some(variants),
            _ => None,
        }
    }

    /// Returns whether each variant has been seen, or cannot be made.
    pub(super) fn is_complete(&self) -> bool {
        let is_known = |name: &&str| self.variants.done.contains(name) || self.variants.failed.contains(name);
        self.variant_names().is_none_or(|names| names.iter().all(is_known))
    }

    /// Returns whether the value is inside another of its type.
    pub(super) fn is_recursive(&self) -> bool {
        matches!(self.kind, Some(Kind::Recursive(_))) || self.buffered.recursive.is_some()
    }

    /// Returns whether it is a map whose fields serde buffers.
    pub(super) fn is_buffered_map(&self) -> bool {
        match self.kind {
            Some(Kind::Flattened) => true,
            Some(Kind::Buffered) => self.buffered.guess == Guess::Map,
            _ => false,
        }
    }
}
