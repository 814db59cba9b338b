//! The value of an argument, as vectors have it.

use serde::Serialize;

/// The value of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// Text; a number, a UUID and an address too.
    Text(String),
    /// Bytes, in hexadecimal digits.
    #[serde(serialize_with = "as_hex")]
    Bytes(Vec<u8>),
    /// The numbers of a year, month, week, day or hour, such as `[2026,11,21]`.
    Calendar(Vec<i64>),
}

impl Value {
    /// A value as text.
    #[allow(clippy::needless_pass_by_value, reason = "calls are shorter")]
    pub(crate) fn text(text: impl ToString) -> Self {
        Self::Text(text.to_string())
    }

    /// Its bytes, if it is text or bytes.
    pub(crate) fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Text(text) => Some(text.as_bytes()),
            Self::Bytes(bytes) => Some(bytes),
            Self::Bool(_) | Self::Calendar(_) => None,
        }
    }
}

fn as_hex<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&hex(bytes))
}

/// Two lower-case hexadecimal digits for each byte.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;

    let mut digits = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}
