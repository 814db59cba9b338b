//! Decides whether two declarations can produce the same key.
//!
//! Generated code asks at compile time, so every function is `const`.

use crate::value_set::{ValueSet, equal};

/// The middle of a key, between module and type: its text with `{}` for each parameter, as in `basic.info:{}:v.{}`, and the
/// values of the parameters.
#[derive(Clone, Copy, Debug)]
pub struct KeyPattern<'k> {
    text: &'k [u8],
    values: &'k [ValueSet],
}

impl<'k> KeyPattern<'k> {
    /// Creates the pattern.
    pub const fn new(text: &'k str, values: &'k [ValueSet]) -> Self {
        Self { text: text.as_bytes(), values }
    }

    /// Whether some values of the parameters produce the same key.
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

    /// Whether a parameter that is a whole segment values this one.
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
            // There is more than one word, and nothing else values a dot.
            _ => false,
        }
    }

    /// The values, if the text is a single parameter.
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
