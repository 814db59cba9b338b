//! A key's text, as far as the sources show it, and the types of its parameters.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use redis_keys_core::legacy::WrittenForm;
use syn::Type;

use crate::declare::sources::type_name;

/// The text of a key in the sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
    /// Its type, if the type is written, and its texts are known.
    pub(crate) ty: Option<ParameterType>,
}

impl KeyText {
    pub(super) fn unknown() -> Self {
        Self(vec![SourcePart::Unknown])
    }

    pub(super) fn text(text: impl Into<String>) -> Self {
        Self(vec![SourcePart::Text(text.into())])
    }

    pub(super) fn parameter(name: impl Into<String>) -> Self {
        Self(vec![SourcePart::Parameter(Parameter { name: name.into(), ty: None })])
    }

    /// The text with this type, if it is a single parameter whose type is not known yet.
    pub(super) fn typed(mut self, find: impl FnOnce() -> Option<ParameterType>) -> Self {
        if let [SourcePart::Parameter(Parameter { ty: ty @ None, .. })] = self.0.as_mut_slice() {
            *ty = find();
        }
        self
    }

    /// The text without its parameters' types.
    pub(super) fn untyped(mut self) -> Self {
        for part in &mut self.0 {
            if let SourcePart::Parameter(parameter) = part {
                parameter.ty = None;
            }
        }
        self
    }

    /// The type of its only part.
    pub(super) fn parameter_type(&self) -> Option<ParameterType> {
        match self.0.as_slice() {
            [SourcePart::Parameter(parameter)] => parameter.ty,
            _ => None,
        }
    }

    /// Its text, if no part of it is a parameter.
    pub(super) fn constant(&self) -> Option<String> {
        let text = |part: &SourcePart| match part {
            SourcePart::Text(text) => Some(text.clone()),
            SourcePart::Parameter(_) | SourcePart::Unknown => None,
        };
        self.0.iter().map(text).collect()
    }

    /// Whether some part of the text is known.
    pub(super) fn is_known(&self) -> bool {
        self.0.iter().any(|part| *part != SourcePart::Unknown)
    }

    /// Whether some of its text is known.
    pub(super) fn has_text(&self) -> bool {
        self.0.iter().any(|part| matches!(part, SourcePart::Text(_)))
    }

    /// Whether some of its text is known that is not a separator.
    pub(super) fn has_words(&self) -> bool {
        let is_word =
            |part: &SourcePart| matches!(part, SourcePart::Text(text) if text.contains(char::is_alphanumeric));
        self.0.iter().any(is_word)
    }

    /// Adds parts. Text beside text is joined.
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

    /// A text for several: their common beginning, and anything behind it.
    pub(super) fn merged(texts: impl IntoIterator<Item = Self>) -> Self {
        let merge = |one: Self, other: Self| if one == other { one } else { one.common_start(&other) };
        texts.into_iter().reduce(merge).unwrap_or_else(Self::unknown)
    }

    /// The parts with which both begin, and anything behind them.
    fn common_start(&self, other: &Self) -> Self {
        let same = self.0.iter().zip(&other.0).take_while(|(one, other)| one == other);
        let mut start = Self(same.map(|(one, _)| one.clone()).collect());
        let at = start.0.len();
        if let (Some(SourcePart::Text(one)), Some(SourcePart::Text(other))) = (self.0.get(at), other.0.get(at)) {
            let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other);
            start.extend(Self::text(same.map(|(sign, _)| sign).collect::<String>()));
        }
        start.extend(Self::unknown());
        start
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

/// The type of a value in a key, if its texts are known.
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

    /// The type that a parameter of a key has, without references.
    pub(super) fn of(ty: &Type) -> Option<Self> {
        match type_name(ty)?.as_str() {
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
            Self::Uuid => WrittenForm::Uuid.gives(text),
        }
    }
}
