//! Whether two keys can be the same. The compiler asks it, too, so that all of it is `const`.

use super::Prints;
use super::prints::equal;

/// What stands between the module and the type of a key, or a part of it: its text with `{}` for each parameter, as in
/// `basic.info:{}:v.{}`, and what the parameters print.
#[derive(Clone, Copy, Debug)]
pub struct Keys<'k> {
    text: &'k [u8],
    prints: &'k [Prints],
}

impl<'k> Keys<'k> {
    /// Such keys.
    pub const fn new(text: &'k str, prints: &'k [Prints]) -> Self {
        Self { text: text.as_bytes(), prints }
    }

    /// Whether a value of the parameters of each makes the same key.
    ///
    /// ```
    /// use redis_keys_schema::meeting::{Keys, Prints};
    ///
    /// let text = Keys::new("{}", &[Prints::Anything]);
    /// let prints = [Prints::up_to(255)];
    /// let number = Keys::new("{}", &prints);
    /// assert!(text.can_meet(Keys::new("me", &[])));
    /// assert!(!number.can_meet(Keys::new("me", &[])));
    /// assert!(number.can_meet(Keys::new("42", &[])));
    /// assert!(!number.can_meet(Keys::new("256", &[])));
    /// ```
    pub const fn can_meet(self, other: Self) -> bool {
        let (mut one, mut other) = (self, other);
        loop {
            let ((first, one_rest), (second, other_rest)) = (one.cut(b':'), other.cut(b':'));
            if !first.segment_meets(second) {
                return false;
            }
            match (one_rest, other_rest) {
                (Some(one_rest), Some(other_rest)) => (one, other) = (one_rest, other_rest),
                (None, None) => return true,
                _ => return false,
            }
        }
    }

    const fn segment_meets(self, other: Self) -> bool {
        match (self.parameter(), other.parameter()) {
            (Some(one), Some(other)) => one.meets(other),
            (Some(one), None) => other.can_be_printed(one),
            (None, Some(other)) => self.can_be_printed(other),
            (None, None) => self.words_meet(other),
        }
    }

    const fn words_meet(self, other: Self) -> bool {
        let (mut one, mut other) = (self, other);
        loop {
            let ((first, one_rest), (second, other_rest)) = (one.cut(b'.'), other.cut(b'.'));
            let meet = match (first.parameter(), second.parameter()) {
                (Some(one), Some(other)) => one.meets(other),
                (Some(one), None) => one.can_be(second.text),
                (None, Some(other)) => other.can_be(first.text),
                (None, None) => equal(first.text, second.text),
            };
            match (one_rest, other_rest) {
                (Some(one_rest), Some(other_rest)) if meet => (one, other) = (one_rest, other_rest),
                (None, None) => return meet,
                _ => return false,
            }
        }
    }

    /// Whether a parameter that is a whole segment prints this one.
    const fn can_be_printed(self, by: Prints) -> bool {
        if self.prints.is_empty() {
            return by.can_be(self.text);
        }
        match by {
            Prints::Anything => true,
            Prints::OneOf(mut names) => {
                while let [name, rest @ ..] = names {
                    if self.words_meet(Keys::new(name, &[])) {
                        return true;
                    }
                    names = rest;
                }
                false
            }
            // There is more than one word, and nothing else prints a dot.
            _ => false,
        }
    }

    /// What it prints, if it is one parameter and nothing else.
    const fn parameter(self) -> Option<Prints> {
        match (self.text, self.prints) {
            (b"{}", [prints]) => Some(*prints),
            _ => None,
        }
    }

    /// What stands before the first such separator, and what stands behind it if there is one.
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
        let (prints, other_prints) = match self.prints.split_at_checked(parameters) {
            Some(split) => split,
            None => (self.prints, [].as_slice()),
        };
        let behind = match rest {
            [_, text @ ..] => Some(Self { text, prints: other_prints }),
            [] => None,
        };
        (Self { text, prints }, behind)
    }
}
