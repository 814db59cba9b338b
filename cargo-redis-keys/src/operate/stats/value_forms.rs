//! The forms of values that were read.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// The forms that some values have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ValueForms(u8);

impl ValueForms {
    const INTEGER: Self = Self(1);
    const NUMBER: Self = Self(1 << 1);
    const JSON: Self = Self(1 << 2);
    const TEXT: Self = Self(1 << 3);
    const MESSAGEPACK: Self = Self(1 << 4);
    const ZSTD: Self = Self(1 << 5);
    const GZIP: Self = Self(1 << 6);
    const BYTES: Self = Self(1 << 7);

    const NAMES: [(Self, &'static str); 8] = [
        (Self::INTEGER, "integers"),
        (Self::NUMBER, "numbers"),
        (Self::JSON, "JSON"),
        (Self::TEXT, "text"),
        (Self::MESSAGEPACK, "MessagePack"),
        (Self::ZSTD, "zstd"),
        (Self::GZIP, "gzip"),
        (Self::BYTES, "bytes"),
    ];

    /// The form of a value, perhaps of only its beginning.
    pub(crate) fn of(value: &[u8], is_whole: bool) -> Self {
        let Ok(text) = str::from_utf8(value) else { return Self::of_bytes(value, is_whole) };
        let is_integer = |text: &str| text.parse::<i64>().is_ok_and(|number| number.to_string() == text);
        let is_number = |text: &str| {
            text.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-') && text.parse::<f64>().is_ok()
        };
        match text.chars().next() {
            None => Self::default(),
            Some(_) if is_whole && is_integer(text) => Self::INTEGER,
            Some(_) if is_whole && is_number(text) => Self::NUMBER,
            Some('{' | '[' | '"') if !is_whole || serde_json::from_str::<IgnoredAny>(text).is_ok() => Self::JSON,
            Some(_) => Self::TEXT,
        }
    }

    fn of_bytes(value: &[u8], is_whole: bool) -> Self {
        match value {
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Self::ZSTD,
            [0x1F, 0x8B, ..] => Self::GZIP,
            // Text can be cut inside of a character.
            [..] if !is_whole && str::from_utf8(value).is_err_and(|error| error.error_len().is_none()) => Self::TEXT,
            // A map or an array with few or many elements.
            [0x80..=0x9F | 0xDC..=0xDF, _, ..] => Self::MESSAGEPACK,
            _ => Self::BYTES,
        }
    }

    /// The forms of both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether values were read, and all are integers.
    pub(crate) fn are_integers(self) -> bool {
        self == Self::INTEGER
    }

    /// Whether values were read, and all are text.
    pub(crate) fn are_text(self) -> bool {
        let text = Self::INTEGER.and(Self::NUMBER).and(Self::JSON).and(Self::TEXT);
        self != Self::default() && self.and(text) == text
    }

    /// The forms' names.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let has = |form: Self| self.and(form) == self;
        Self::NAMES.into_iter().filter(|(form, _)| has(*form)).map(|(_, name)| name).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_values() {
        let names = |value: &[u8], is_whole| ValueForms::of(value, is_whole).names().join(" ");
        for (value, expected) in [
            (&b""[..], ""),
            (b"42", "integers"),
            (b"-1", "integers"),
            (b"007", "numbers"),
            (b"99999999999999999999", "numbers"),
            (b"2.5e3", "numbers"),
            (b"nan", "text"),
            (b"{\"a\":1}", "JSON"),
            (b"[]", "JSON"),
            (b"{a}", "text"),
            ("Grüße".as_bytes(), "text"),
            (b"\x28\xB5\x2F\xFDxyz", "zstd"),
            (b"\x1f\x8b\x08", "gzip"),
            (b"\x82\xa1a\x01\xa1b\xc3", "MessagePack"),
            (b"\xff\x00", "bytes"),
        ] {
            assert_eq!(names(value, true), expected, "{value:?}");
        }
        assert_eq!(names(b"{\"a\":", false), "JSON");
        assert_eq!(names(b"text\xC3", false), "text");
        let both = ValueForms::of(b"1", true).and(ValueForms::of(b"x", true));
        assert!(both.are_text() && !both.are_integers() && !ValueForms::default().are_text());
    }
}
