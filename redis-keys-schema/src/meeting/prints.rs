//! What parameters print, as far as it tells keys apart.

/// What the values of a type look like in a key. From this the compiler knows that `user:{id}:string` with a number can never
/// be the key `user:me:string`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Prints {
    /// Any text, or nothing is known of it.
    #[default]
    Anything,
    /// A whole number without sign and without zeros in front of it, such as `42`.
    Number {
        /// The smallest one.
        from: u128,
        /// The largest one.
        to: u128,
    },
    /// Lower-case hexadecimal digits, always as many, such as the 32 of a `Uuid`.
    Hex {
        /// How many.
        digits: u32,
    },
    /// Base32 in lower case and without padding, such as `mzxw6`.
    Base32,
    /// A year in 4 digits, such as `2026`.
    Years,
    /// A month in 6 digits, such as `202601`.
    Months,
    /// A day in 8 digits, such as `20260131`.
    Days,
    /// An hour in 10 digits, such as `2026013123`.
    Hours,
    /// One of these texts, such as the names of an enum's variants.
    OneOf(&'static [&'static str]),
}

impl Prints {
    /// What a `bool` prints.
    pub(crate) const BOOL: Self = Self::OneOf(&["false", "true"]);

    /// Whole numbers from 0 to this one.
    pub const fn up_to(number: u128) -> Self {
        Self::Number { from: 0, to: number }
    }

    /// What a type prints, where its name says so.
    pub(super) fn of_type(ty: &str) -> Option<Self> {
        Some(match ty {
            "u8" => Self::up_to(u8::MAX.into()),
            "u16" => Self::up_to(u16::MAX.into()),
            "u32" => Self::up_to(u32::MAX.into()),
            // The numbers of the machine that it is built for are not known here.
            "u64" | "usize" => Self::up_to(u64::MAX.into()),
            "u128" => Self::up_to(u128::MAX),
            "i8" => Self::up_to(i8::MAX.unsigned_abs().into()),
            "i16" => Self::up_to(i16::MAX.unsigned_abs().into()),
            "i32" => Self::up_to(i32::MAX.unsigned_abs().into()),
            "i64" | "isize" => Self::up_to(i64::MAX.unsigned_abs().into()),
            "i128" => Self::up_to(i128::MAX.unsigned_abs()),
            "bool" => Self::BOOL,
            "String" => Self::Anything,
            _ => return None,
        })
    }

    /// Whether a value can be this text.
    pub(super) const fn can_be(self, text: &[u8]) -> bool {
        match self {
            Self::Anything => true,
            Self::Number { from, to } => matches!(number(text), Some(number) if from <= number && number <= to),
            Self::Hex { digits } => text.len() == digits as usize && all_hex(text),
            Self::Base32 => is_base32(text),
            Self::Years | Self::Months | Self::Days | Self::Hours => self.is_in_calendar(text),
            Self::OneOf(mut names) => {
                while let [name, rest @ ..] = names {
                    let name = name.as_bytes();
                    // The compiler counts calls, and two enums with many names have very many pairs of them.
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

    /// Whether values of both can be the same text.
    pub(super) const fn meets(self, other: Self) -> bool {
        match (self, other) {
            (Self::Anything, _) | (_, Self::Anything) => true,
            (Self::OneOf(names), other) | (other, Self::OneOf(names)) => any_can_be(names, other),
            (Self::Base32, other) | (other, Self::Base32) => other.meets_base32(),
            (Self::Number { from, to }, other) | (other, Self::Number { from, to }) => match other.numbers() {
                Some((first, last)) => from <= last && first <= to,
                None => false,
            },
            (one, other) => one.digits() == other.digits(),
        }
    }

    /// Whether a value is of the digits from 2 to 7, which are all that base32 has, and as long as bytes in it are.
    const fn meets_base32(self) -> bool {
        match self {
            Self::Anything | Self::Base32 | Self::OneOf(_) => true,
            Self::Number { to, .. } => 22 <= to,
            // A month has a 0 or a 1.
            Self::Months | Self::Days | Self::Hours => false,
            Self::Years | Self::Hex { .. } => is_base32_long(self.digits() as usize),
        }
    }

    /// How many digits there always are.
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

    /// The first and the last number among what is made of digits, if there is one.
    const fn numbers(self) -> Option<(u128, u128)> {
        let digits = match self {
            Self::Number { from, to } => return Some((from, to)),
            digits => digits.digits(),
        };
        // A longer one is larger than all numbers.
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
        while let [digit, next @ ..] = rest {
            if !digit.is_ascii_digit() {
                return false;
            }
            two = two % 10 * 10 + *digit - b'0';
            place += 1;
            let right = match place {
                6 => 1 <= two && two <= 12,
                8 => 1 <= two && two <= 31,
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

const fn any_can_be(mut names: &[&str], other: Prints) -> bool {
    while let [name, rest @ ..] = names {
        if other.can_be(name.as_bytes()) {
            return true;
        }
        names = rest;
    }
    false
}

/// The number that a text is, in the one form in which a number is printed.
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

/// Whether a number of whole bytes has so many digits in base32.
const fn is_base32_long(digits: usize) -> bool {
    digits != 0 && !matches!(digits % 8, 1 | 3 | 6)
}

const fn is_base32(mut text: &[u8]) -> bool {
    if !is_base32_long(text.len()) {
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
