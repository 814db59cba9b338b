//! An inferred template.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Deref;

use super::mask::{MARK, Observation, date_form, form};
use super::row::Row;
use super::thresholds::{constant_keys, number_keys, prefix_letters};
use crate::declare::redis_type::RedisType;

/// Keys that were built alike and have one type, and which either all expire or all do not.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct InferredTemplate {
    pub(crate) parts: Vec<Part>,
    pub(crate) redis_type: RedisType,
    /// The number of keys that never expire: all or none.
    pub(crate) without_expiry: u64,
    row: Row,
}

/// A part of a template. Two texts never follow each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Text(String),
    Parameter(Class),
}

/// A parameter's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Integer {
        max: u64,
        /// Whether some are below zero.
        is_negative: bool,
        /// The number of digits, if there are zeros in front.
        padded: Option<u32>,
    },
    Hex {
        /// The number of digits, if all have as many.
        length: Option<u32>,
    },
    Uuid,
    Ulid,
    /// Random values with `-`, `_` or `=`.
    Base64,
    /// Random letters and digits.
    Random,
    /// A date or a calendar bucket, such as `YYYY-MM-DD`.
    Date(&'static str),
    Ip,
    Email,
    Mac,
    /// Width and height, such as `64x64`.
    Size,
    /// A domain of the web.
    Domain,
    /// A few words with many keys each.
    Choice(Vec<String>),
    Text {
        /// The bytes of the longest value, about.
        longest: u32,
        /// Whether there can be `:`, `/` and `|` inside.
        has_separators: bool,
    },
}

impl Class {
    /// The name, as it is shown.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Integer { .. } => "integer",
            Self::Hex { .. } => "hex",
            Self::Uuid => "uuid",
            Self::Ulid => "ulid",
            Self::Base64 | Self::Random => "random",
            Self::Date(form) => form,
            Self::Ip => "ip",
            Self::Email => "email",
            Self::Mac => "mac",
            Self::Size => "size",
            Self::Domain => "domain",
            Self::Choice(_) | Self::Text { has_separators: false, .. } => "text",
            Self::Text { has_separators: true, .. } => "path",
        }
    }

    fn of(letter: char, observed: &Observation, keys: u64) -> Self {
        let &Observation { min, max, shortest, longest, is_negative, has_upper, .. } = observed;
        let same = (shortest == longest).then_some(longest);
        match letter {
            form::INTEGER => {
                let is_padded = |digits: &u32| *digits > 1 && min.checked_ilog10().unwrap_or(0) + 1 < *digits;
                Self::Integer { max, is_negative, padded: same.filter(is_padded) }
            }
            form::HEX => Self::Hex { length: same },
            // A `Uuid` is written in lower case.
            form::UUID if has_upper => Self::Base64,
            form::UUID => Self::Uuid,
            form::ULID => Self::Ulid,
            form::BASE64 => Self::Base64,
            form::RANDOM => Self::Random,
            form::IP => Self::Ip,
            form::EMAIL => Self::Email,
            form::MAC => Self::Mac,
            form::SIZE => Self::Size,
            form::DOMAIN => Self::Domain,
            form::REST => Self::Text { longest, has_separators: true },
            letter => match (date_form(letter), observed.words.few()) {
                (Some(form), _) => Self::Date(form),
                (None, Some(words)) if keys >= constant_keys() * words.len() as u64 => {
                    Self::Choice(words.iter().map(ToString::to_string).collect())
                }
                _ => Self::Text { longest, has_separators: false },
            },
        }
    }
}

/// The values behind each beginning of masks.
pub(super) struct Numbers(HashMap<Box<str>, Beginning>);

/// The smallest and the largest number of keys with a beginning, their only value, and the number of such keys.
struct Beginning {
    min: u64,
    max: u64,
    only: Option<Box<str>>,
    keys: u64,
}

impl Numbers {
    pub(super) fn new<'r>(rows: impl Iterator<Item = (&'r str, &'r Row)>) -> Self {
        let mut numbers = HashMap::<_, Beginning>::new();
        for (mask, row) in rows {
            for ((place, _), value) in mask.match_indices(MARK).zip(&row.observed) {
                let first = || Beginning { min: u64::MAX, max: 0, only: value.only.clone(), keys: 0 };
                let known = numbers.entry(mask.get(..place + 2).unwrap_or_default().into()).or_insert_with(first);
                known.min = known.min.min(value.min);
                known.max = known.max.max(value.max);
                known.keys += row.keys;
                if known.only != value.only {
                    known.only = None;
                }
            }
        }
        Self(numbers)
    }

    /// The number of keys that begin like this, if all have the same number.
    fn keys_with_one(&self, start: &str) -> u64 {
        self.0.get(start).filter(|known| known.min == known.max).map_or(0, |known| known.keys)
    }

    /// The value with which all keys begin that begin like this, if they are so many.
    fn only_start(&self, start: &str, many: u64) -> Option<&str> {
        let known = self.0.get(start).filter(|known| known.keys >= many)?;
        known.only.as_deref()
    }
}

impl Deref for InferredTemplate {
    type Target = Row;

    fn deref(&self) -> &Row {
        &self.row
    }
}

impl InferredTemplate {
    pub(super) fn new(mask: &str, redis_type: RedisType, row: Row, numbers: &Numbers) -> Self {
        Self {
            parts: parts(mask, &row, numbers),
            redis_type,
            without_expiry: if row.expiry.is_none() { row.keys } else { 0 },
            // A template needs no observations any more.
            row: Row { observed: Vec::new(), ..row },
        }
    }

    /// Adds the keys of another template that is shown alike.
    pub(crate) fn merge(&mut self, other: &Self) {
        // Of several, the first stays the example.
        let largest = if other.sizes.max() > self.sizes.max() { other } else { &*self };
        let example = largest.example.clone();
        self.without_expiry += other.without_expiry;
        self.row.merge(other.row.clone());
        self.row.example = example;
    }

    /// The template with all of its text: `user:{integer}:profile`. Braces of the text are doubled.
    pub(crate) fn masked(&self) -> String {
        let mut masked = String::new();
        for part in &self.parts {
            match part {
                Part::Text(text) => masked.push_str(&text.replace('{', "{{").replace('}', "}}")),
                Part::Parameter(class) => drop(write!(masked, "{{{}}}", class.name())),
            }
        }
        masked
    }
}

/// The parts of a mask.
fn parts(mask: &str, row: &Row, numbers: &Numbers) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut observed = row.observed.iter();
    let mut signs = mask.char_indices();
    while let Some((place, sign)) = signs.next() {
        if sign != MARK {
            text.push(sign);
            continue;
        }
        let (Some((_, letter)), Some(value)) = (signs.next(), observed.next()) else { break };
        if letter == form::INTEGER && value.is_one_number() {
            let keys = row.keys.max(numbers.keys_with_one(mask.get(..place + 2).unwrap_or_default()));
            // Behind letters, as in `v2`, a single key is enough.
            let is_behind_letters = text.ends_with(|sign: char| sign.is_ascii_alphabetic());
            let mut constants = [(constant_keys(), 999), (number_keys(), 65_535)]
                .into_iter()
                .filter(|(many, _)| keys >= *many || is_behind_letters);
            if constants.any(|(_, largest)| value.max <= largest) {
                let width = usize::try_from(value.longest).unwrap_or(0);
                let _ = write!(text, "{:0width$}", value.max);
                continue;
            }
        }
        // An installation has one id in front of its keys. Behind other text, a single value can be a single user's
        // value.
        let many = if letter == form::DOMAIN { constant_keys() } else { number_keys() };
        let is_start = parts.is_empty() && !text.contains(char::is_alphanumeric);
        if (is_start || letter == form::DOMAIN)
            && let Some(only) = value
                .only
                .as_deref()
                .filter(|_| row.keys >= many)
                .or_else(|| numbers.only_start(mask.get(..place + 2).unwrap_or_default(), many))
        {
            text.push_str(only);
            continue;
        }
        if row.keys >= constant_keys() {
            text.push_str(prefix(letter, &value.prefix));
        }
        if !text.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut text)));
        }
        parts.push(Part::Parameter(Class::of(letter, value, row.keys)));
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    parts
}

/// The text with which all values of a random form begin, or the words before the names of addresses.
fn prefix(letter: char, common: &str) -> &str {
    let run = |is_other: fn(char) -> bool| common.find(is_other).unwrap_or(common.len());
    let letters = run(|sign| !sign.is_ascii_lowercase());
    let capitals = run(|sign| !sign.is_ascii_uppercase());
    let end = match (letter, common.rfind(['-', '_'])) {
        // All values are one address.
        (form::EMAIL, _) if common.contains('@') => 0,
        (form::EMAIL, _) => common.rfind('.').map_or(0, |place| place + 1),
        (form::RANDOM | form::BASE64, Some(place)) => place + 1,
        (form::RANDOM | form::BASE64, None) if letters as u64 >= prefix_letters() => letters,
        (form::RANDOM | form::BASE64, None) if capitals >= 2 => capitals,
        _ => 0,
    };
    common.get(..end).unwrap_or_default()
}
