//! `adopt`: drafts of declarations for keys that exist.
//!
//! [`infer`](crate::operate::infer) finds templates in the keys of servers and in lists of names, and
//! [`raw`](crate::declare::raw) the texts of keys in sources. [`join`] finds the keys that are in both: their fields
//! get the names from the sources, and types and limits from the servers. [`draft`] writes declarations, and compares
//! them as the derives do.

mod census;
pub(crate) mod command;
mod declaration;
mod draft;
mod join;
mod naming;
mod report;
#[cfg(test)]
mod tests;
mod written_keys;

use crate::declare::raw::{ParameterType, SetsExpiry};
use crate::declare::redis_type::RedisType;
use crate::operate::infer::{Class, InferredTemplate};
use crate::operate::masking::{FEW_KEYS, Masking};
use crate::operate::stats::ValueForms;

/// A kind of keys that programs use, as servers and sources show it.
#[derive(Clone, Debug)]
pub(crate) struct FoundKey {
    /// Its text. Two texts never follow each other.
    pub(crate) parts: Vec<FoundPart>,
    /// The start of its text, if the sources have a value there.
    pub(crate) start: Option<ConstantStart>,
    pub(crate) redis_type: Option<RedisType>,
    /// The keys that were seen. Without any, only sources name it.
    pub(crate) seen: Vec<InferredTemplate>,
    /// The commands in the sources.
    pub(crate) uses: Vec<SourceUse>,
}

/// A part of a key's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FoundPart {
    Text(String),
    Field(FoundField),
}

/// A part that differs between keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FoundField {
    /// The name in the sources.
    pub(crate) name: Option<String>,
    /// The type in the sources.
    pub(crate) ty: Option<ParameterType>,
    /// The values that were seen.
    pub(crate) class: Option<Class>,
    /// The only value that was seen.
    pub(crate) only: Option<String>,
}

/// Text of a key that is a value in the sources, and the same in all keys that were seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ConstantStart {
    pub(crate) text: String,
    /// The name in the sources.
    pub(crate) name: Option<String>,
}

/// A command in the sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SourceUse {
    /// The file and the line.
    pub(crate) place: String,
    pub(crate) command: &'static str,
    /// Whether it can create a key, and then whether that expires.
    pub(crate) creates: Option<SetsExpiry>,
}

impl FoundKey {
    /// The number of keys that were seen.
    pub(crate) fn keys(&self) -> u64 {
        self.seen.iter().map(|seen| seen.keys).sum()
    }

    /// The number of keys that never expire.
    pub(crate) fn without_expiry(&self) -> u64 {
        self.seen.iter().map(|seen| seen.without_expiry).sum()
    }

    /// The memory of all keys.
    pub(crate) fn bytes(&self) -> u64 {
        self.seen.iter().map(|seen| seen.bytes).sum()
    }

    /// The milliseconds until the last key expires.
    pub(crate) fn longest_expiry(&self) -> Option<u64> {
        self.seen.iter().filter_map(|seen| Some(seen.expiry?.1)).max()
    }

    /// The elements of the largest key, or the bytes of a string.
    pub(crate) fn longest(&self) -> Option<u64> {
        self.seen.iter().filter_map(|seen| seen.lengths.max()).max()
    }

    /// The bytes that the largest element has at least, about.
    pub(crate) fn largest_member(&self) -> u64 {
        self.seen.iter().map(|seen| seen.largest_member).max().unwrap_or(0)
    }

    /// The forms of the values that were read.
    pub(crate) fn values(&self) -> ValueForms {
        self.seen.iter().map(|seen| seen.values).fold(ValueForms::default(), ValueForms::and)
    }

    /// The memory of the largest key.
    pub(crate) fn largest(&self) -> Option<u64> {
        self.seen.iter().filter_map(|seen| seen.sizes.max()).max()
    }

    /// The text with the class or the name of each field: `User:{integer}:Profile`.
    pub(crate) fn text(&self) -> String {
        self.with_texts(|text| text.replace('{', "{{").replace('}', "}}"))
    }

    /// The text as it is shown.
    pub(crate) fn shown(&self, masking: &Masking) -> String {
        // Without keys, it is the sources' text.
        let keys = if self.seen.is_empty() { FEW_KEYS } else { self.keys() };
        self.with_texts(|text| masking.text(text, keys))
    }

    fn with_texts(&self, text: impl Fn(&str) -> String) -> String {
        let part = |part: &FoundPart| match part {
            FoundPart::Text(literal) => text(literal),
            FoundPart::Field(FoundField { name: Some(name), .. }) => format!("{{{name}}}"),
            FoundPart::Field(FoundField { class: Some(class), .. }) => format!("{{{}}}", class.name()),
            FoundPart::Field(_) => "{…}".to_owned(),
        };
        self.parts.iter().map(part).collect()
    }
}
