//! A command on Redis outside of declarations.

use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use super::commands::Effect;
use crate::declarations::sources::SourceFile;
use crate::server::redis_type::RedisType;

/// A command on Redis outside of declarations.
#[derive(Clone)]
pub(crate) struct RawUse {
    pub(crate) file: Rc<SourceFile>,
    /// The bytes of the command's name in the file.
    pub(crate) range: Range<usize>,
    /// The command, such as `SET`. `EVAL` is a script.
    pub(crate) command: &'static str,
    /// The text of the key. `None` if no part of it is known.
    pub(crate) key: Option<KeyText>,
    pub(crate) effect: Effect,
    /// Whether a key that it creates gets an expiry.
    pub(crate) expiry: SetsExpiry,
    /// The type of the key, if the command tells it.
    pub(crate) redis_type: Option<RedisType>,
}

/// Whether a key that is created gets an expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SetsExpiry {
    No,
    /// The sources do not say.
    Unknown,
    Yes,
}

/// The text of a key in the sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct KeyText(pub(crate) Vec<SourcePart>);

/// A part of a key in the sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SourcePart {
    Text(String),
    /// A value, by its name in the sources.
    Parameter(String),
    /// Any text.
    Unknown,
}

impl RawUse {
    /// Whether it changes something.
    pub(crate) fn is_write(&self) -> bool {
        self.effect != Effect::Read
    }

    /// Whether it creates keys that never expire, as far as the sources say.
    pub(crate) fn creates_without_expiry(&self) -> bool {
        self.effect == Effect::Create && self.expiry == SetsExpiry::No
    }
}

impl KeyText {
    /// Whether some of its text is known that is not a separator.
    pub(super) fn has_words(&self) -> bool {
        let is_word = |part: &SourcePart| match part {
            SourcePart::Text(text) => text.chars().any(char::is_alphanumeric),
            SourcePart::Parameter(_) | SourcePart::Unknown => false,
        };
        self.0.iter().any(is_word)
    }

    /// Adds parts. Text beside text becomes one.
    pub(super) fn extend(&mut self, parts: Self) {
        for part in parts.0 {
            match (self.0.last_mut(), part) {
                (Some(SourcePart::Text(before)), SourcePart::Text(text)) => before.push_str(&text),
                (Some(SourcePart::Unknown), SourcePart::Unknown) => {}
                (_, SourcePart::Text(text)) if text.is_empty() => {}
                (_, part) => self.0.push(part),
            }
        }
    }
}

/// The text with `{name}` for each parameter, and `{…}` where nothing is known.
impl fmt::Display for KeyText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| match part {
            SourcePart::Text(text) => f.write_str(&text.replace('{', "{{").replace('}', "}}")),
            SourcePart::Parameter(name) => write!(f, "{{{name}}}"),
            SourcePart::Unknown => f.write_str("{…}"),
        })
    }
}
