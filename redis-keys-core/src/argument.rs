//! The arguments of keys: what a program passes for each parameter, in any language.

use crate::ValueSet;

/// The argument of a parameter: the kind of its values, behind aliases, newtypes and pointers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(tag = "kind", rename_all = "snake_case")
)]
#[non_exhaustive]
pub enum Argument {
    /// A whole number.
    Integer(Integer),
    /// `true` or `false`.
    Bool,
    /// Text.
    Text,
    /// Bytes: of this number, or of any number.
    Bytes {
        /// The number of bytes of an array.
        length: Option<u64>,
    },
    /// A UUID.
    Uuid,
    /// An IPv4 address.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// An IP address of either version.
    Ip,
    /// A year.
    Year,
    /// A month of a year.
    Month,
    /// A week of ISO 8601.
    Week,
    /// A day, as a bucket.
    Day,
    /// An hour of a day.
    Hour,
    /// A date of chrono, jiff or time. A legacy text has it with hyphens, unlike a day.
    Date,
    /// One of the variants of an enum.
    Names {
        /// The name of the enum.
        #[cfg_attr(feature = "serde", serde(rename = "type"))]
        type_name: String,
        /// The variants, in order.
        variants: Vec<NamedText>,
    },
}

/// The range of an integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(clippy::exhaustive_structs, reason = "it has what an integer type has")]
pub struct Integer {
    /// The size of the type: 64 for `usize`.
    pub bits: u32,
    /// Whether the type has negative numbers. Only a legacy text can contain them.
    pub signed: bool,
    /// Whether it is a `NonZero`.
    pub non_zero: bool,
    /// The smallest number.
    #[cfg_attr(feature = "serde", serde(with = "as_text"))]
    pub from: i128,
    /// The largest number.
    #[cfg_attr(feature = "serde", serde(with = "as_text"))]
    pub to: u128,
}

/// A variant of an enum, and its text in keys.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(clippy::exhaustive_structs, reason = "it has what a variant has")]
pub struct NamedText {
    /// The name of the variant, or `None` if only a compilation shows the enum.
    pub name: Option<String>,
    /// Its text in keys.
    pub text: String,
}

/// A number as text, because other programs read numbers as floats, which are too small.
#[cfg(feature = "serde")]
mod as_text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<N: Display, S: Serializer>(number: &N, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, N: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<N, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Integer {
    /// Returns the integer type with this largest number. A signed type's smallest number follows from it.
    pub fn new(signed: bool, non_zero: bool, to: u128) -> Self {
        let bits = u128::BITS - to.leading_zeros() + u32::from(signed);
        let from = if signed { i128::try_from(to).map_or(i128::MIN, |to| -to - 1) } else { i128::from(non_zero) };
        Self { bits, signed, non_zero, from, to }
    }

    /// Returns the numbers from 0 to below `count`.
    pub fn below(count: u32) -> Self {
        Self { to: u128::from(count.saturating_sub(1)), ..Self::new(false, false, u32::MAX.into()) }
    }

    /// Returns the smallest number that a template can contain: the templates of keys have no sign.
    pub fn from_in_template(&self) -> u128 {
        u128::try_from(self.from).unwrap_or(u128::from(self.non_zero))
    }
}

impl Argument {
    /// Returns the texts that it can render as in a template without an encoding. `None` for bytes, which need one.
    pub fn values(&self) -> Option<ValueSet<Vec<String>>> {
        match self {
            Self::Names { variants, .. } => {
                Some(ValueSet::OneOf(variants.iter().map(|variant| variant.text.clone()).collect()))
            }
            other => other.values_of_type().map(Into::into),
        }
    }

    /// Returns the same for a type without names of its own.
    pub fn values_of_type(&self) -> Option<ValueSet> {
        Some(match self {
            Self::Integer(integer) => ValueSet::Number { from: integer.from_in_template(), to: integer.to },
            Self::Bool => ValueSet::BOOL,
            Self::Text => ValueSet::Any,
            Self::Uuid => ValueSet::Hex { digits: 32 },
            Self::Ipv4 => ValueSet::IPV4,
            Self::Ipv6 => ValueSet::IPV6,
            Self::Ip => ValueSet::IpAddr,
            Self::Year => ValueSet::Years,
            Self::Month => ValueSet::Months,
            Self::Week => ValueSet::Weeks,
            Self::Day | Self::Date => ValueSet::Days,
            Self::Hour => ValueSet::Hours,
            Self::Bytes { .. } | Self::Names { .. } => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Integer;

    #[test]
    fn an_integer_has_the_range_of_its_type() {
        for (integer, bits, from) in [
            (Integer::new(false, false, u64::MAX.into()), 64, 0),
            (Integer::new(false, true, u8::MAX.into()), 8, 1),
            (Integer::new(true, false, 127), 8, -128),
            (Integer::new(true, true, i128::MAX.unsigned_abs()), 128, i128::MIN),
            (Integer::new(false, false, u128::MAX), 128, 0),
        ] {
            assert_eq!((integer.bits, integer.from), (bits, from), "{integer:?}");
        }
        assert_eq!(Integer::new(true, true, 127).from_in_template(), 1);
        assert_eq!(Integer::new(true, false, 127).from_in_template(), 0);
        assert_eq!((Integer::below(8).bits, Integer::below(8).to), (32, 7));
    }
}
