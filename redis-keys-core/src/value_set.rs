//! The set of texts that a parameter can render as.

/// The texts that the values of a parameter type can render as.
///
/// The overlap check uses it: `user:{id}:string` with a number can never be the key `user:me:string`.
/// `Names` are the texts of [`OneOf`](Self::OneOf): static in a constant, a `Vec<String>` where sources are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum ValueSet<Names = &'static [&'static str]> {
    /// Any text. The set of unknown types.
    #[default]
    Any,
    /// A whole number without a sign and without leading zeros, such as `42`.
    Number {
        /// The smallest number.
        #[cfg_attr(feature = "serde", serde(with = "as_text"))]
        from: u128,
        /// The largest number.
        #[cfg_attr(feature = "serde", serde(with = "as_text"))]
        to: u128,
    },
    /// A fixed number of lower-case hexadecimal digits, such as the 32 of a `Uuid`.
    Hex {
        /// The number of digits.
        digits: u32,
    },
    /// 8 or 32 lower-case hexadecimal digits: an IPv4 or an IPv6 address.
    IpAddr,
    /// Lower-case base32 without padding, such as `mzxw6`.
    Base32,
    /// A year in 4 digits, such as `2026`.
    Years,
    /// A month in 6 digits, such as `202601`.
    Months,
    /// A week of ISO 8601 with its year, such as `2026w05`.
    Weeks,
    /// A day in 8 digits, such as `20260131`.
    Days,
    /// An hour in 10 digits, such as `2026013123`.
    Hours,
    /// One of these texts, such as the names of an enum's variants.
    OneOf(Names),
}

/// A number as text, because other programs read numbers as floats, which are too small.
#[cfg(feature = "serde")]
mod as_text {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(number)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl<Names> ValueSet<Names> {
    /// Returns the set with other names.
    #[doc(hidden)]
    pub fn map<Others>(self, names: impl FnOnce(Names) -> Others) -> ValueSet<Others> {
        match self {
            Self::Any => ValueSet::Any,
            Self::Number { from, to } => ValueSet::Number { from, to },
            Self::Hex { digits } => ValueSet::Hex { digits },
            Self::IpAddr => ValueSet::IpAddr,
            Self::Base32 => ValueSet::Base32,
            Self::Years => ValueSet::Years,
            Self::Months => ValueSet::Months,
            Self::Weeks => ValueSet::Weeks,
            Self::Days => ValueSet::Days,
            Self::Hours => ValueSet::Hours,
            Self::OneOf(given) => ValueSet::OneOf(names(given)),
        }
    }
}

#[doc(hidden)]
impl From<ValueSet> for ValueSet<Vec<String>> {
    fn from(values: ValueSet) -> Self {
        values.map(|names| names.iter().map(|name| (*name).to_owned()).collect())
    }
}

#[doc(hidden)]
impl ValueSet<Vec<String>> {
    /// Whether `text` is in the set.
    pub fn contains(&self, text: &[u8]) -> bool {
        match self {
            Self::OneOf(names) => names.iter().any(|name| name.as_bytes() == text),
            values => values.clone().map(|_| [].as_slice()).contains(text),
        }
    }

    /// The length of the longest text, if it is bounded.
    pub fn longest(&self) -> Option<usize> {
        match self {
            Self::Any | Self::Base32 => None,
            Self::Number { to, .. } => Some(to.checked_ilog10().unwrap_or_default() as usize + 1),
            Self::Hex { digits } => usize::try_from(*digits).ok(),
            Self::IpAddr => Some(32),
            Self::Years => Some(4),
            Self::Months => Some(6),
            Self::Weeks => Some(7),
            Self::Days => Some(8),
            Self::Hours => Some(10),
            Self::OneOf(names) => names.iter().map(String::len).max(),
        }
    }

    /// Whether a text can contain a `.`, in a whole segment.
    pub fn is_dotted(&self) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(names) => names.iter().any(|name| name.contains('.')),
            _ => false,
        }
    }

    /// An example of a text, if there is one.
    pub fn example(&self) -> Option<String> {
        const HEX: &str = "67e5504410b1426f9247bb680e5fe0c8";
        Some(match self {
            Self::Any => "abc".to_owned(),
            Self::Number { from, to } => 42_u128.clamp(*from, *to.max(from)).to_string(),
            Self::Hex { digits } => HEX.chars().cycle().take(usize::try_from(*digits).ok()?).collect(),
            Self::IpAddr => "c0000207".to_owned(),
            Self::Base32 => "mzxw6".to_owned(),
            Self::Years => "2026".to_owned(),
            Self::Months => "202612".to_owned(),
            Self::Weeks => "2026w53".to_owned(),
            Self::Days => "20261231".to_owned(),
            Self::Hours => "2026123123".to_owned(),
            Self::OneOf(names) => names.first()?.clone(),
        })
    }
}

impl ValueSet {
    /// The texts of a `bool`.
    pub const BOOL: Self = Self::OneOf(&["false", "true"]);

    /// The texts of an IPv4 address.
    pub const IPV4: Self = Self::Hex { digits: 8 };

    /// The texts of an IPv6 address.
    pub const IPV6: Self = Self::Hex { digits: 32 };

    /// The whole numbers from 0 to `number`.
    pub const fn up_to(number: u128) -> Self {
        Self::Number { from: 0, to: number }
    }

    /// Whether `text` is in the set.
    pub const fn contains(self, text: &[u8]) -> bool {
        match self {
            Self::Any => true,
            Self::Number { from, to } => matches!(number(text), Some(number) if from <= number && number <= to),
            Self::Hex { digits } => text.len() == digits as usize && all_hex(text),
            Self::IpAddr => Self::IPV4.contains(text) || Self::IPV6.contains(text),
            Self::Base32 => is_base32(text),
            Self::Years | Self::Months | Self::Days | Self::Hours => self.is_in_calendar(text),
            Self::Weeks => is_week(text),
            Self::OneOf(mut names) => {
                while let [name, rest @ ..] = names {
                    let name = name.as_bytes();
                    // Constant evaluation is slow per call, and two enums with many names have many pairs.
                    let starts_alike = matches!((name, text), ([first, ..], [other, ..]) if *first == *other);
                    if starts_alike && equal(name, text) {
                        return true;
                    }
                    names = rest;
                }
                false
            }
        }
    }

    /// Whether the sets have a text in common.
    pub const fn intersects(self, other: Self) -> bool {
        match (self, other) {
            (Self::Any, _) | (_, Self::Any) => true,
            (Self::IpAddr, other) | (other, Self::IpAddr) => {
                other.intersects(Self::IPV4) || other.intersects(Self::IPV6)
            }
            (Self::OneOf(names), other) | (other, Self::OneOf(names)) => contains_any(names, other),
            (Self::Base32, other) | (other, Self::Base32) => other.intersects_base32(),
            (Self::Number { from, to }, other) | (other, Self::Number { from, to }) => match other.numbers() {
                Some((first, last)) => from <= last && first <= to,
                None => false,
            },
            (one, other) => one.digits() == other.digits(),
        }
    }

    /// Whether the set has a text in common with base32, which has the digits 2 to 7 and some lengths only.
    const fn intersects_base32(self) -> bool {
        match self {
            // `2222w22` is both.
            Self::Any | Self::Base32 | Self::IpAddr | Self::Weeks | Self::OneOf(_) => true,
            Self::Number { to, .. } => 22 <= to,
            // A month has a 0 or a 1.
            Self::Months | Self::Days | Self::Hours => false,
            Self::Years | Self::Hex { .. } => is_base32_len(self.digits() as usize),
        }
    }

    /// The fixed number of digits, or 0 if it varies.
    const fn digits(self) -> u32 {
        match self {
            Self::Hex { digits } => digits,
            Self::Years => 4,
            Self::Months => 6,
            Self::Days => 8,
            Self::Hours => 10,
            _ => 0,
        }
    }

    /// The smallest and the largest number, if this is a set of digits.
    const fn numbers(self) -> Option<(u128, u128)> {
        let digits = match self {
            Self::Number { from, to } => return Some((from, to)),
            digits => digits.digits(),
        };
        // Longer texts are larger than every `u128`.
        if digits == 0 || digits > u128::MAX.ilog10() + 1 {
            return None;
        }
        let zeros = digits - 1;
        let first = if zeros == 0 { 0 } else { 10_u128.pow(zeros) };
        let last = match 10_u128.checked_pow(zeros + 1) {
            Some(behind) => behind - 1,
            None => u128::MAX,
        };
        Some((first, last))
    }

    const fn is_in_calendar(self, text: &[u8]) -> bool {
        if text.len() != self.digits() as usize {
            return false;
        }
        let mut rest = text;
        let mut place = 0;
        let mut two = 0;
        let (mut year, mut month): (u32, u8) = (0, 0);
        while let [digit, next @ ..] = rest {
            if !digit.is_ascii_digit() {
                return false;
            }
            two = two % 10 * 10 + *digit - b'0';
            place += 1;
            if place <= 4 {
                year = year * 10 + (*digit - b'0') as u32;
            } else if place == 6 {
                month = two;
            }
            let right = match place {
                6 => 1 <= two && two <= 12,
                8 => 1 <= two && two <= days_in(year, month),
                10 => two <= 23,
                _ => true,
            };
            if !right {
                return false;
            }
            rest = next;
        }
        true
    }
}

/// Whether a text is a week of ISO 8601 with its year, such as `2026w05`.
const fn is_week(text: &[u8]) -> bool {
    let [y1, y2, y3, y4, b'w', w1, w2] = text else { return false };
    let digits = [*y1, *y2, *y3, *y4, *w1, *w2];
    let mut number = 0;
    let mut rest: &[u8] = &digits;
    while let [digit, next @ ..] = rest {
        if !digit.is_ascii_digit() {
            return false;
        }
        number = number * 10 + (*digit - b'0') as u32;
        rest = next;
    }
    let (year, week) = (number / 100, number % 100);
    1 <= week && week <= 52 || week == 53 && has_53_weeks(year)
}

/// Whether a year has 53 weeks: it begins or ends on a Thursday.
const fn has_53_weeks(year: u32) -> bool {
    /// The weekday of the year's last day, from Sunday on. Years of the calendar repeat after 400.
    const fn last_weekday(year: u32) -> u32 {
        (year + year / 4 - year / 100 + year / 400) % 7
    }
    last_weekday(year + 400) == 4 || last_weekday(year + 399) == 3
}

/// The number of days in a month.
const fn days_in(year: u32, month: u8) -> u8 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

const fn contains_any(mut names: &[&str], other: ValueSet) -> bool {
    while let [name, rest @ ..] = names {
        if other.contains(name.as_bytes()) {
            return true;
        }
        names = rest;
    }
    false
}

/// Parses a number in its canonical form.
const fn number(text: &[u8]) -> Option<u128> {
    let mut rest = match text {
        [] | [b'0', _, ..] => return None,
        text => text,
    };
    let mut number: u128 = 0;
    while let [digit, next @ ..] = rest {
        if !digit.is_ascii_digit() {
            return None;
        }
        let Some(tens) = number.checked_mul(10) else { return None };
        let Some(sum) = tens.checked_add((*digit - b'0') as u128) else { return None };
        number = sum;
        rest = next;
    }
    Some(number)
}

const fn all_hex(mut text: &[u8]) -> bool {
    while let [byte, rest @ ..] = text {
        if !matches!(byte, b'0'..=b'9' | b'a'..=b'f') {
            return false;
        }
        text = rest;
    }
    true
}

/// Whether whole bytes can encode to this many base32 digits.
const fn is_base32_len(digits: usize) -> bool {
    digits != 0 && !matches!(digits % 8, 1 | 3 | 6)
}

const fn is_base32(mut text: &[u8]) -> bool {
    if !is_base32_len(text.len()) {
        return false;
    }
    while let [byte, rest @ ..] = text {
        if !matches!(byte, b'a'..=b'z' | b'2'..=b'7') {
            return false;
        }
        text = rest;
    }
    true
}

pub(super) const fn equal(mut one: &[u8], mut other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    while let ([first, one_rest @ ..], [second, other_rest @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (one_rest, other_rest);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const U8: ValueSet = ValueSet::up_to(255);
    const U64: ValueSet = ValueSet::up_to(u64::MAX as u128);
    const SECTION: ValueSet = ValueSet::OneOf(&["basic.info", "orders", "7"]);

    #[test]
    fn a_set_contains_these_texts_and_no_others() {
        let table: [(ValueSet, &[&str], &[&str]); 12] = [
            (ValueSet::Any, &["me", "7", "a.b"], &[]),
            (U8, &["0", "7", "255"], &["", "007", "256", "me", "a.b", "7a", "340282366920938463463374607431768211456"]),
            (ValueSet::Number { from: 1, to: 9 }, &["1", "9"], &["0", "10"]),
            (ValueSet::BOOL, &["true", "false"], &["yes", "tru", "truer"]),
            (
                ValueSet::Hex { digits: 32 },
                &["67e5504410b1426f9247bb680e5fe0c8"],
                &["67e5504410b1426f9247bb680e5fe0c", "67e5504410b1426f9247bb680e5fe0cg", "7"],
            ),
            (
                ValueSet::IpAddr,
                &["c0000207", "20010db8000000000000000000000001"],
                &["c000020", "c0.00.02.07", "20010db800000000", "7"],
            ),
            (ValueSet::Base32, &["mzxw6", "me", "77"], &["", "0", "m", "mez", "mezzan", "a.b", "m1"]),
            (ValueSet::Years, &["2026", "0000"], &["026", "20260", "me"]),
            (ValueSet::Months, &["202612"], &["202613", "202600", "2026", "2026a1"]),
            (
                ValueSet::Days,
                &["20261231", "20280229", "20000229", "20260430"],
                &["20261232", "20269999", "20261300", "20260230", "20260229", "19000229", "20260431"],
            ),
            (
                ValueSet::Weeks,
                &["2026w01", "2026w53", "2020w53", "2025w52", "0000w01"],
                &["2025w53", "2026w54", "2026w00", "202601", "2026W01", "2026w1", "2026w001", "202aw01"],
            ),
            (ValueSet::Hours, &["2026123123"], &["2026123124", "9999999999", "2026023001"]),
        ];
        for (values, texts, others) in table {
            for text in texts {
                assert!(values.contains(text.as_bytes()), "{values:?} {text}");
            }
            for text in others {
                assert!(!values.contains(text.as_bytes()), "{values:?} {text}");
            }
        }
    }

    #[test]
    fn an_example_is_one_of_the_values() {
        let names = ValueSet::OneOf(vec!["orders".to_owned(), "basic.info".to_owned()]);
        assert_eq!((names.example().as_deref(), names.longest(), names.is_dotted()), (Some("orders"), Some(10), true));
        let numbers = [(0, 0), (0, 41), (43, 99), (1, u128::MAX)].map(|(from, to)| ValueSet::Number { from, to });
        let digits = [1, 8, 32, 40].map(|digits| ValueSet::Hex { digits });
        let others = [
            ValueSet::IpAddr,
            ValueSet::Base32,
            ValueSet::Years,
            ValueSet::Months,
            ValueSet::Weeks,
            ValueSet::Days,
            ValueSet::Hours,
            ValueSet::Any,
            SECTION,
        ];
        for values in numbers.into_iter().chain(digits).chain(others) {
            let owned = ValueSet::<Vec<String>>::from(values);
            let example = owned.example().unwrap_or_default();
            assert!(values.contains(example.as_bytes()) && owned.contains(example.as_bytes()), "{values:?} {example}");
            assert!(owned.longest().is_none_or(|longest| example.len() <= longest), "{values:?} {example}");
        }
    }

    #[test]
    fn sets_intersect_if_they_share_a_text() {
        let uuid = ValueSet::Hex { digits: 32 };
        let eight = ValueSet::Hex { digits: 8 };
        let shared = [
            (U8, U64),
            (U64, ValueSet::Number { from: 300, to: 400 }),
            (U64, ValueSet::Years),
            (ValueSet::up_to(1000), ValueSet::Years),
            (U64, ValueSet::Hours),
            (ValueSet::up_to(u128::MAX), uuid),
            (eight, ValueSet::Days),
            (SECTION, U8),
            (SECTION, ValueSet::OneOf(&["orders"])),
            (ValueSet::Base32, U8),
            (ValueSet::Base32, ValueSet::Years),
            (ValueSet::Base32, ValueSet::Base32),
            (ValueSet::Base32, ValueSet::Weeks),
            (ValueSet::Weeks, ValueSet::Weeks),
            (ValueSet::Weeks, ValueSet::OneOf(&["2026w01"])),
            (ValueSet::Base32, uuid),
            (ValueSet::Base32, ValueSet::OneOf(&["me"])),
            (ValueSet::Any, uuid),
            (uuid, uuid),
            (ValueSet::Hex { digits: 1 }, ValueSet::up_to(0)),
            (ValueSet::IpAddr, ValueSet::IpAddr),
            (ValueSet::IpAddr, ValueSet::IPV4),
            (ValueSet::IpAddr, uuid),
            (ValueSet::IpAddr, ValueSet::Days),
            (ValueSet::IpAddr, ValueSet::Base32),
            (ValueSet::IpAddr, ValueSet::up_to(10_000_000)),
            (ValueSet::IpAddr, ValueSet::OneOf(&["me", "deadbeef"])),
        ];
        let disjoint = [
            (U8, ValueSet::Years),
            (U8, ValueSet::Number { from: 256, to: 300 }),
            (U64, uuid),
            (ValueSet::up_to(999), ValueSet::Years),
            (ValueSet::Years, ValueSet::Months),
            (ValueSet::Weeks, ValueSet::Months),
            (ValueSet::Weeks, U64),
            (ValueSet::Weeks, ValueSet::IpAddr),
            (ValueSet::Weeks, ValueSet::Hex { digits: 7 }),
            (ValueSet::Days, uuid),
            (eight, uuid),
            (SECTION, ValueSet::OneOf(&["info", "basic"])),
            (SECTION, ValueSet::BOOL),
            (SECTION, uuid),
            (ValueSet::BOOL, U64),
            (ValueSet::Base32, ValueSet::OneOf(&["0", "a.b"])),
            // Base32 has no 0 and no 1, and no text of one, three or six digits.
            (ValueSet::Base32, ValueSet::up_to(21)),
            (ValueSet::Base32, ValueSet::Months),
            (ValueSet::Base32, ValueSet::Days),
            (ValueSet::Base32, ValueSet::Hours),
            (ValueSet::Base32, ValueSet::Hex { digits: 6 }),
            (ValueSet::Hex { digits: 99 }, ValueSet::up_to(u128::MAX)),
            (ValueSet::IPV4, ValueSet::IPV6),
            (ValueSet::IpAddr, ValueSet::Months),
            (ValueSet::IpAddr, ValueSet::up_to(9_999_999)),
            (ValueSet::IpAddr, SECTION),
        ];
        for (one, other) in shared {
            assert!(one.intersects(other) && other.intersects(one), "{one:?} {other:?}");
        }
        for (one, other) in disjoint {
            assert!(!one.intersects(other) && !other.intersects(one), "{one:?} {other:?}");
        }
    }
}
