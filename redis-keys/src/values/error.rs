//! The error of a pass: what the type says of the value that it is given.

use std::cell::RefCell;
use std::fmt::{self, Display, Formatter};

use serde::de::{self, Expected, Unexpected};
use serde::ser;

/// The most errors of a pass that are kept.
const MOST_KEPT: usize = 10_000;

thread_local! {
    /// The errors that types have made since [`take_made`], also those that they have dropped.
    static MADE: RefCell<Vec<Error>> = const { RefCell::new(Vec::new()) };
}

/// Takes the errors that types have made since the last call.
pub(super) fn take_made() -> Vec<Error> {
    MADE.take()
}

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
    /// The value was read as another alternative than the one that it was made for.
    Shadowed,
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
            Self::Shadowed => f.write_str("read as another alternative"),
            Self::Stopped => f.write_str("no value is accepted"),
            Self::Panicked => f.write_str("panicked"),
        }
    }
}

impl std::error::Error for Error {}

impl Error {
    /// Keeps the error, in case that the type drops it.
    fn kept(self) -> Self {
        MADE.with_borrow_mut(|made| {
            if made.len() < MOST_KEPT {
                made.push(self.clone());
            }
        });
        self
    }

    /// Returns the name of the enum without a tag of which no alternative fits.
    pub(super) fn untagged(&self) -> Option<&str> {
        let Self::Custom(message) = self else { return None };
        message.strip_prefix("data did not match any variant of untagged enum ")
    }
}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::Custom(message.to_string()).kept()
    }

    fn invalid_type(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Unexpected { given: unexpected.into(), expected: expected.to_string() }.kept()
    }

    fn invalid_value(unexpected: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::Unexpected { given: unexpected.into(), expected: expected.to_string() }.kept()
    }

    fn invalid_length(_len: usize, expected: &dyn Expected) -> Self {
        Self::Unexpected { given: Given::Length, expected: expected.to_string() }.kept()
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::UnknownVariant { given: variant.to_owned(), variants: expected }.kept()
    }

    fn unknown_field(_field: &str, expected: &'static [&'static str]) -> Self {
        Self::UnknownField { expected }.kept()
    }

    fn missing_field(field: &'static str) -> Self {
        Self::MissingField(field).kept()
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self::DuplicateField(field).kept()
    }
}

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        Self::Custom(message.to_string())
    }
}
