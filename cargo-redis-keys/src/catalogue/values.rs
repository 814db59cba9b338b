//! The texts that a parameter can have.

use redis_keys_core::ValueSet;
use serde::{Deserialize, Serialize};

/// The texts that a parameter can have in a key, as the catalogue's JSON names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Values {
    /// Any text.
    Any,
    /// A whole number without leading zeros.
    Number {
        /// The smallest number, as text: other programs read numbers as floats, which are too small.
        #[serde(with = "as_text")]
        from: u128,
        /// The largest number.
        #[serde(with = "as_text")]
        to: u128,
    },
    /// A fixed number of hexadecimal digits.
    Hex {
        /// The number of digits.
        digits: u32,
    },
    /// 8 or 32 hexadecimal digits.
    IpAddr,
    /// Lower-case base32 without padding.
    Base32,
    /// A year in 4 digits.
    Years,
    /// A month in 6 digits.
    Months,
    /// A day in 8 digits.
    Days,
    /// An hour in 10 digits.
    Hours,
    /// One of these texts.
    OneOf(Vec<String>),
}

impl Values {
    /// Whether a text is one of these. As the compiler does, it takes every text for one of [`Any`](Self::Any).
    pub(crate) fn contains(&self, text: &[u8]) -> bool {
        let set = match self {
            Self::OneOf(texts) => return texts.iter().any(|other| other.as_bytes() == text),
            Self::Any => ValueSet::Any,
            Self::Number { from, to } => ValueSet::Number { from: *from, to: *to },
            Self::Hex { digits } => ValueSet::Hex { digits: *digits },
            Self::IpAddr => ValueSet::IpAddr,
            Self::Base32 => ValueSet::Base32,
            Self::Years => ValueSet::Years,
            Self::Months => ValueSet::Months,
            Self::Days => ValueSet::Days,
            Self::Hours => ValueSet::Hours,
        };
        set.contains(text)
    }
}

/// A number as text.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
