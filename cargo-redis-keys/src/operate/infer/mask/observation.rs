//! Observations about a parameter's values.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::form;

/// The most different words of a parameter that are kept.
const MAX_WORDS: usize = 16;

/// A longer word is no choice.
const LONGEST_WORD: usize = 24;

/// The most bytes of a common prefix, as many as the name in an address has.
const MAX_PREFIX: usize = 64;

/// The known facts about a parameter's values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::operate::infer) struct Observation {
    /// The smallest and the largest number, for values that are numbers. Others count as zero.
    pub(in crate::operate::infer) min: u64,
    pub(in crate::operate::infer) max: u64,
    /// The bytes of the shortest and of the longest value.
    pub(in crate::operate::infer) shortest: u32,
    pub(in crate::operate::infer) longest: u32,
    pub(in crate::operate::infer) is_negative: bool,
    /// Whether some have letters in upper case.
    #[serde(default)]
    pub(in crate::operate::infer) has_upper: bool,
    /// The only value, of a form that can be part of a text: an id of an installation, or a domain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::operate::infer) only: Option<Box<str>>,
    /// The beginning of all values, of a random form.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub(in crate::operate::infer) prefix: Box<str>,
    /// The words that were values, or none if they are too many.
    #[serde(default, skip_serializing_if = "Words::is_empty")]
    pub(in crate::operate::infer) words: Words,
}

/// A few words, or too many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::operate::infer) struct Words {
    words: BTreeSet<Box<str>>,
    are_many: bool,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && !self.are_many
    }

    /// The words, if they are few.
    pub(in crate::operate::infer) fn few(&self) -> Option<&BTreeSet<Box<str>>> {
        (!self.are_many && !self.words.is_empty()).then_some(&self.words)
    }

    fn merge(&mut self, other: &Self) {
        // Most are known already.
        if !self.are_many && !other.words.is_subset(&self.words) {
            self.words.extend(other.words.iter().cloned());
        }
        self.are_many |= other.are_many || self.words.len() > MAX_WORDS;
        if self.are_many {
            self.words.clear();
        }
    }
}

impl Observation {
    /// One value of this form.
    pub(in crate::operate::infer) fn of(form: char, value: &[u8]) -> Self {
        let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
        let is_number = value.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-'));
        let number = if is_number { number(value) } else { 0 };
        let prefix = match form {
            form::RANDOM | form::BASE64 | form::EMAIL => value.get(..value.len().min(MAX_PREFIX)),
            _ => None,
        };
        let only =
            matches!(form, form::HEX | form::DOMAIN | form::RANDOM).then(|| str::from_utf8(value).ok()).flatten();
        Self {
            only: only.map(Into::into),
            min: number,
            max: number,
            shortest: length,
            longest: length,
            is_negative: value.first() == Some(&b'-') && is_number,
            has_upper: value.iter().any(u8::is_ascii_uppercase),
            prefix: prefix.and_then(|prefix| str::from_utf8(prefix).ok()).unwrap_or_default().into(),
            words: Words { words: BTreeSet::new(), are_many: form == form::TEXT || form == form::REST },
        }
    }

    /// A value that consists of text and of other values: a word, or any text.
    pub(in crate::operate::infer) fn joined<'a>(literal: &str, parts: impl Iterator<Item = &'a Self>) -> Self {
        let length = u32::try_from(literal.len()).unwrap_or(u32::MAX);
        let mut joined = Self { shortest: length, longest: length, ..Self::of(form::TEXT, b"") };
        let mut is_word = (1..=LONGEST_WORD).contains(&literal.len());
        let mut only = Words::default();
        for part in parts {
            joined.shortest = joined.shortest.saturating_add(part.shortest);
            joined.longest = joined.longest.saturating_add(part.longest);
            is_word = false;
            if literal.is_empty() {
                // The words of a parameter that was text already.
                only = part.words.clone();
                joined.min = part.min;
                joined.max = part.max;
            }
        }
        if is_word {
            joined.words = Words { words: BTreeSet::from([literal.into()]), are_many: false };
        } else if !only.is_empty() {
            joined.words = only;
        }
        joined
    }

    /// Whether all values are the same number.
    pub(in crate::operate::infer) fn is_one_number(&self) -> bool {
        self.min == self.max && self.shortest == self.longest && !self.is_negative
    }

    /// The same with the text with which the value begins.
    pub(in crate::operate::infer) fn with_prefix(mut self, prefix: &str) -> Self {
        self.prefix = prefix.get(..MAX_PREFIX).unwrap_or(prefix).into();
        self
    }

    pub(in crate::operate::infer) fn merge(&mut self, other: &Self) {
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        if self.only != other.only {
            self.only = None;
        }
        self.is_negative |= other.is_negative;
        self.has_upper |= other.has_upper;
        if !other.prefix.starts_with(&*self.prefix) {
            let signs = self.prefix.char_indices().zip(other.prefix.chars());
            let end = signs.take_while(|((_, one), other)| one == other).last().map_or(0, |((place, _), _)| place + 1);
            self.prefix = self.prefix.get(..end).unwrap_or_default().into();
        }
        self.words.merge(&other.words);
    }
}

/// The number that digits are, or the largest.
fn number(digits: &[u8]) -> u64 {
    digits
        .iter()
        .filter(|byte| byte.is_ascii_digit())
        .fold(0, |number: u64, digit| number.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}
