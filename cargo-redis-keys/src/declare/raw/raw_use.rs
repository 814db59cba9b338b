//! A command on Redis outside of declarations.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::ops::Range;
use std::rc::Rc;
use std::str::FromStr;

use super::commands::Effect;
use crate::declare::redis_type::RedisType;
use crate::declare::sources::SourceFile;

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
    /// A value.
    Parameter(Parameter),
    /// Any text.
    Unknown,
}

/// A value in a key of the sources.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Parameter {
    /// Its name in the sources.
    pub(crate) name: String,
    /// Its type, if that is written, and is one whose texts are known.
    pub(crate) ty: Option<ParameterType>,
}

/// The type of a value in a key, of those whose texts are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ParameterType {
    /// An integer, by its name.
    Integer(&'static str),
    IpAddr,
    Ipv4Addr,
    Ipv6Addr,
    Uuid,
}

impl ParameterType {
    const INTEGERS: [&str; 10] = ["u8", "u16", "u32", "u64", "u128", "i8", "i16", "i32", "i64", "i128"];

    /// The type of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "IpAddr" => Some(Self::IpAddr),
            "Ipv4Addr" => Some(Self::Ipv4Addr),
            "Ipv6Addr" => Some(Self::Ipv6Addr),
            "Uuid" => Some(Self::Uuid),
            name => Self::INTEGERS.into_iter().find(|integer| *integer == name).map(Self::Integer),
        }
    }

    /// The type as a declaration writes it.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Integer(name) => name,
            Self::IpAddr => "std::net::IpAddr",
            Self::Ipv4Addr => "std::net::Ipv4Addr",
            Self::Ipv6Addr => "std::net::Ipv6Addr",
            Self::Uuid => "uuid::Uuid",
        }
    }

    /// Whether `Display` of a value writes this text.
    pub(crate) fn writes(self, text: &str) -> bool {
        fn is_same<T: FromStr + ToString>(text: &str) -> bool {
            text.parse::<T>().is_ok_and(|value| value.to_string() == text)
        }
        match self {
            Self::Integer(name) if name.starts_with('i') => is_same::<i128>(text),
            Self::Integer(_) => is_same::<u128>(text),
            Self::IpAddr => is_same::<IpAddr>(text),
            Self::Ipv4Addr => is_same::<Ipv4Addr>(text),
            Self::Ipv6Addr => is_same::<Ipv6Addr>(text),
            Self::Uuid => {
                let is_hyphen = |place| matches!(place, 8 | 13 | 18 | 23);
                let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
                let has_form = |(place, byte)| if is_hyphen(place) { byte == b'-' } else { is_digit(byte) };
                text.len() == 36 && text.bytes().enumerate().all(has_form)
            }
        }
    }
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
            SourcePart::Parameter(Parameter { name, .. }) => write!(f, "{{{name}}}"),
            SourcePart::Unknown => f.write_str("{…}"),
        })
    }
}
