//! Decides whether two declarations can produce the same key.
//!
//! Generated code asks at compile time, so every function is `const`.

use crate::value_set::{ValueSet, equal};

/// The part of a key between its module and its type, as in `basic.info:{}:v.{}`, with the values of its parameters.
#[derive(Clone, Copy, Debug)]
pub struct KeyPattern<'k> {
    text: &'k [u8],
    values: &'k [ValueSet],
}

impl<'k> KeyPattern<'k> {
    /// Creates a pattern from its text, with `{}` for each parameter, and the values of the parameters.
    pub const fn new(text: &'k str, values: &'k [ValueSet]) -> Self {
        Self { text: text.as_bytes(), values }
    }

    /// Whether both can produce the same key.
    ///
    /// ```
    /// use redis_keys_core::{KeyPattern, ValueSet};
    ///
    /// let text = KeyPattern::new("{}", &[ValueSet::Any]);
    /// let values = [ValueSet::up_to(255)];
    /// let number = KeyPattern::new("{}", &values);
    /// assert!(text.overlaps(KeyPattern::new("me", &[])));
    /// assert!(!number.overlaps(KeyPattern::new("me", &[])));
    /// assert!(number.overlaps(KeyPattern::new("42", &[])));
    /// assert!(!number.overlaps(KeyPattern::new("256", &[])));
    /// ```
    pub const fn overlaps(self, other: Self) -> bool {
        let (mut one, mut other) = (self, other);
        loop {
            let ((first, one_rest), (second, other_rest)) = (one.cut(b':'), other.cut(b':'));
            if !first.segment_overlaps(second) {
                return false;
            }
            match (one_rest, other_rest) {
                (Some(one_rest), Some(other_rest)) => (one, other) = (one_rest, other_rest),
                (None, None) => return true,
                _ => return false,
            }
        }
    }

    const fn segment_overlaps(self, other: Self) -> bool {
        match (self.parameter(), other.parameter()) {
            (Some(one), Some(other)) => one.intersects(other),
            (Some(one), None) => other.is_rendered_by(one),
            (None, Some(other)) => self.is_rendered_by(other),
            (None, None) => self.words_overlap(other),
        }
    }

    const fn words_overlap(self, other: Self) -> bool {
        let (mut one, mut other) = (self, other);
        loop {
            let ((first, one_rest), (second, other_rest)) = (one.cut(b'.'), other.cut(b'.'));
            let overlap = match (first.parameter(), second.parameter()) {
                (Some(one), Some(other)) => one.intersects(other),
                (Some(one), None) => one.contains(second.text),
                (None, Some(other)) => other.contains(first.text),
                (None, None) => equal(first.text, second.text),
            };
            match (one_rest, other_rest) {
                (Some(one_rest), Some(other_rest)) if overlap => (one, other) = (one_rest, other_rest),
                (None, None) => return overlap,
                _ => return false,
            }
        }
    }

    /// Whether a parameter that is a whole segment can render as this one.
    const fn is_rendered_by(self, values: ValueSet) -> bool {
        if self.values.is_empty() {
            return values.contains(self.text);
        }
        match values {
            ValueSet::Any => true,
            ValueSet::OneOf(mut names) => {
                while let [name, rest @ ..] = names {
                    if self.words_overlap(KeyPattern::new(name, &[])) {
                        return true;
                    }
                    names = rest;
                }
                false
            }
            // The segment contains a `.`, which no other set does.
            _ => false,
        }
    }

    /// The values of the parameter, if the text is a single one.
    const fn parameter(self) -> Option<ValueSet> {
        match (self.text, self.values) {
            (b"{}", [values]) => Some(*values),
            _ => None,
        }
    }

    /// Splits at the first separator.
    const fn cut(self, separator: u8) -> (Self, Option<Self>) {
        let (mut length, mut parameters) = (0, 0);
        let mut rest = self.text;
        while let [byte, next @ ..] = rest {
            if *byte == separator {
                break;
            }
            if *byte == b'{' {
                parameters += 1;
            }
            length += 1;
            rest = next;
        }
        let (text, _) = self.text.split_at(length);
        let (values, rest_values) = match self.values.split_at_checked(parameters) {
            Some(split) => split,
            None => (self.values, [].as_slice()),
        };
        let tail = match rest {
            [_, text @ ..] => Some(Self { text, values: rest_values }),
            [] => None,
        };
        (Self { text, values }, tail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const U8: ValueSet = ValueSet::up_to(255);
    const SECTION: ValueSet = ValueSet::OneOf(&["basic.info", "orders", "7"]);

    #[test]
    fn keys_overlap_segment_by_segment() {
        let any = [ValueSet::Any; 2];
        let overlapping: [(&str, &[ValueSet], &str, &[ValueSet]); 9] = [
            ("", &[], "", &[]),
            ("a.b", &[], "a.b", &[]),
            ("{}", &any[..1], "a.b", &[]),
            ("{}:all", &any[..1], "prices:{}", &any[..1]),
            ("v.{}.notes", &[U8], "v.2.notes", &[]),
            ("{}:x", &[SECTION], "basic.info:x", &[]),
            ("{}", &[SECTION], "basic.{}", &any[..1]),
            ("{}", &any[..1], "v.{}.{}", &[U8, U8]),
            ("{}:{}", &any, "{}:7", &[U8]),
        ];
        let distinct: [(&str, &[ValueSet], &str, &[ValueSet]); 10] = [
            ("a", &[], "b", &[]),
            ("a", &[], "a.b", &[]),
            ("a.b", &[], "a", &[]),
            ("a", &[], "a:b", &[]),
            ("{}", &[U8], "me", &[]),
            ("{}", &[U8], "v.{}", &[U8]),
            ("v.{}", &[U8], "v.{}.x", &[U8]),
            ("{}:x", &[SECTION], "basic:x", &[]),
            ("{}", &[SECTION], "late.{}", &any[..1]),
            ("{}:{}", &[ValueSet::Any, U8], "x:{}", &[ValueSet::BOOL]),
        ];
        for (one, values, other, others) in overlapping {
            let (first, second) = (KeyPattern::new(one, values), KeyPattern::new(other, others));
            assert!(first.overlaps(second) && second.overlaps(first), "{one} {other}");
        }
        for (one, values, other, others) in distinct {
            let (first, second) = (KeyPattern::new(one, values), KeyPattern::new(other, others));
            assert!(!first.overlaps(second) && !second.overlaps(first), "{one} {other}");
        }
    }

    #[test]
    fn missing_parameters_do_not_panic() {
        let one = KeyPattern::new("{}:{}.x", &[]);
        assert!(!one.overlaps(KeyPattern::new("a:b.x", &[])));
    }
}
