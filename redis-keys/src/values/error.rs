//! The error of a pass: what the type says of the value that it is given.

use std::fmt::{self, Display, Formatter};

use serde::de::{self, Expected, Unexpected};
use serde::ser;

/// The reason why a pass has made no value.
#[derive(Clone, Debug)]
pub(super) enum Error {
    /// A message of the type's own.
    Custom(String),
    MissingField(&'static str),
    DuplicateField(&'static str),
    UnknownField {
        expected: &'static [&'static str],
    },
    UnknownVariant {
        given: String,
        variants: &'static [&'static str],
    },
    /// A value of another type, or out of range.
    Unexpected {
        given: Given,
        expected: String,
    },
    /// The pass cannot go on: nothing that is known is accepted here, or the type is endless.
    Stopped,
    /// The type's code has panicked.
    Panicked,
}

/// The value that a type has not expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Given {
    Text(String),
    Number(u64),
    /// A list of another length.
    Length,
    Other,
}

impl From<Unexpected<'_>> for Given {
    fn from(unexpected: Unexpected<'_>) -> Self {
        match unexpected {
            Unexpected::Str(text) => Self::Text(text.to_owned()),
            Unexpected::Unsigned(number) => Self::Number(number),
            _ => Self::Other,
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Custom(message) => f.write_str(message),
            Self::MissingField(name) => write!(f, "missing field `{name}`"),
            Self::DuplicateField(name) => write!(f, "duplicate field `{name}`"),
            Self::UnknownField { .. } => f.write_str("unknown field"),
            Self::UnknownVariant { .. } => f.write_str("unknown variant"),
            Self::Unexpected { expected, .. } => write!(f, "expected {expected}"),
            Self::Stopped => f.write_str("no value is accepted"),
            Self::Panicked => f.write_str("panicked"),
        }
    }
}

impl std::error::Error for Error {}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::Custom(message.to_string())
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Unexpected { given: unexpected.into(), expected: expected.to_string() }
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Unexpected { given: unexpected.into(), expected: expected.to_string() }
    }

    fn invalid_length(_len: usize, expected: &dyn Expected) -> Self {
        Self::Unexpected { given: Given::Length, expected: expected.to_string() }
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::UnknownVariant { given: variant.to_owned(), variants: expected }
    }

    fn unknown_field(_field: &str, expected: &'static [&'static str]) -> Self {
        Self::UnknownField { expected }
    }

    fn missing_field(field: &'static str) -> Self {
        Self::MissingField(field)
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::DuplicateField(field)
    }
}

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::Custom(message.to_string())
    }
}
