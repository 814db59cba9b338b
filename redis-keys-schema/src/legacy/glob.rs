//! The keys that a text can give, as a pattern that two declarations are compared by.

use redis_keys_core::ValueSet;
use redis_keys_core::legacy::WrittenForm;

/// Keys: bytes of sets, some of which repeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glob {
    pub(super) tokens: Vec<Token>,
}

/// A byte of a set, or any number of such bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) bytes: Bytes,
    pub(super) repeats: bool,
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bytes([u128; 2]);

impl Bytes {
    pub(super) const ALL: Self = Self([u128::MAX; 2]);

    pub(super) fn of(bytes: &[u8]) -> Self {
        bytes.iter().fold(Self([0; 2]), |set, byte| set.with(*byte))
    }

    pub(super) fn with(self, byte: u8) -> Self {
        let [low, high] = self.0;
        let bit = 1 << (byte & 127);
        if byte < 128 { Self([low | bit, high]) } else { Self([low, high | bit]) }
    }

    pub(super) fn without(self, byte: u8) -> Self {
        let [low, high] = self.0;
        let others = !(1 << (byte & 127));
        if byte < 128 { Self([low & others, high]) } else { Self([low, high & others]) }
    }

    pub(super) fn contains(self, byte: u8) -> bool {
        self.with(byte) == self
    }

    fn intersects(self, other: Self) -> bool {
        self.0.into_iter().zip(other.0).any(|(one, other)| one & other != 0)
    }
}

const DIGITS: &[u8] = b"0123456789";
const HEX: &[u8] = WrittenForm::HEX.as_bytes();
const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789.";

impl Glob {
    /// Adds a parameter of a template, which is not empty.
    pub fn push_parameter<Names>(&mut self, values: &ValueSet<Names>) {
        let bytes = match values {
            ValueSet::Number { .. } => DIGITS,
            ValueSet::Hex { .. } => HEX,
            _ => LETTERS,
        };
        self.tokens.extend([false, true].map(|repeats| Token { bytes: Bytes::of(bytes), repeats }));
    }

    /// Adds text that every key has.
    pub fn push_literal(&mut self, text: &str) {
        self.tokens.extend(text.bytes().map(|byte| Token { bytes: Bytes::of(&[byte]), repeats: false }));
    }

    /// Adds any text, or any text without a byte.
    pub fn push_text(&mut self, without: Option<u8>) {
        let bytes = without.map_or(Bytes::ALL, |byte| Bytes::ALL.without(byte));
        self.tokens.push(Token { bytes, repeats: true });
    }

    pub(super) fn push_uuid(&mut self) {
        for (group, digits) in WrittenForm::UUID_GROUPS.into_iter().enumerate() {
            self.push_literal(if group > 0 { "-" } else { "" });
            self.tokens.extend(std::iter::repeat_n(Token { bytes: Bytes::of(HEX), repeats: false }, digits));
        }
    }

    /// The number of bytes that can be at a place for any number of bytes: the smaller, the more specific.
    pub fn breadth(&self) -> u32 {
        let repeating = self.tokens.iter().filter(|token| token.repeats);
        repeating.flat_map(|token| token.bytes.0).map(u128::count_ones).sum()
    }

    /// The length of the shortest key that it can give.
    pub(crate) fn shortest(&self) -> usize {
        self.tokens.iter().filter(|token| !token.repeats).count()
    }

    /// Whether it can give this key.
    pub fn matches(&self, key: &[u8]) -> bool {
        let literal = |byte: &u8| Token { bytes: Bytes::of(&[*byte]), repeats: false };
        self.overlaps(&Self { tokens: key.iter().map(literal).collect() })
    }

    /// Whether both can give the same key.
    pub fn overlaps(&self, other: &Self) -> bool {
        let (one, two) = (&self.tokens, &other.tokens);
        // Most pairs differ in how they begin or end.
        if differ(one.iter().zip(two)) || differ(one.iter().rev().zip(two.iter().rev())) {
            return false;
        }
        // Whether the rest of `one` is to be compared with the rest of `two` from each index.
        let mut open = vec![false; two.len() + 1];
        open[0] = true;
        for index in 0..=one.len() {
            let first = one.get(index);
            let mut next = vec![false; two.len() + 1];
            for (at, second) in two.iter().map(Some).chain([None]).enumerate() {
                if !open[at] {
                    continue;
                }
                match (first, second) {
                    (None, None) => return true,
                    // A token that repeats may be at its end.
                    (Some(Token { repeats: true, .. }), _) => next[at] = true,
                    _ => {}
                }
                let Some(second) = second else { continue };
                if second.repeats {
                    open[at + 1] = true;
                }
                let Some(first) = first.filter(|first| first.bytes.intersects(second.bytes)) else { continue };
                match (first.repeats, second.repeats) {
                    (false, false) => next[at + 1] = true,
                    (false, true) => next[at] = true,
                    (true, false) => open[at + 1] = true,
                    // Both repeat, and either may be at its end.
                    (true, true) => {}
                }
            }
            if !next.contains(&true) {
                return false;
            }
            open = next;
        }
        false
    }
}

/// Whether bytes differ before a token repeats.
fn differ<'t>(pairs: impl Iterator<Item = (&'t Token, &'t Token)>) -> bool {
    let mut fixed = pairs.take_while(|(one, other)| !one.repeats && !other.repeats);
    fixed.any(|(one, other)| !one.bytes.intersects(other.bytes))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    use redis_keys_core::legacy::LegacyText;

    use super::*;

    /// `{n}` is a number, `{c}` text without a colon, any other field any text.
    fn glob(text: &str) -> Glob {
        let read = LegacyText::read(text);
        let mut glob = Glob::default();
        for (index, literal) in read.literals.iter().enumerate() {
            if let Some(name) = index.checked_sub(1).and_then(|index| read.fields.get(index)) {
                let bytes = match *name {
                    "n" => Bytes::of(DIGITS),
                    "c" => Bytes::ALL.without(b':'),
                    _ => Bytes::ALL,
                };
                glob.tokens.push(Token { bytes, repeats: true });
            }
            glob.push_literal(literal);
        }
        glob
    }

    #[test]
    fn texts_overlap_if_both_give_a_key() {
        for (one, two, overlap) in [
            ("user:{s}", "user:{s}:profile", true),
            ("user:{c}", "user:{c}:profile", false),
            ("user:{n}", "user:{n}:profile", false),
            ("user:{n}", "user:me", false),
            ("user:{s}", "user:me", true),
            ("{s}_{s}", "a_b_c", true),
            ("a{s}b", "a{s}c", false),
            ("a{s}b", "{s}ab{s}b", true),
            ("{s}x", "y{s}", true),
            ("relayer:{c}:tx:{c}", "relayer:tx_to_relayer:{c}", false),
            ("relayer:{c}:tx:{s}", "relayer:tx_to_relayer:{s}", true),
            ("{n}:{n}", "{s}", true),
            ("", "{s}", true),
            ("", "a", false),
            ("ab", "ab", true),
        ] {
            assert_eq!(glob(one).overlaps(&glob(two)), overlap, "{one} {two}");
            assert_eq!(glob(two).overlaps(&glob(one)), overlap, "{two} {one}");
        }
        assert!(glob("u:{n}").matches(b"u:7") && !glob("u:{n}").matches(b"u:x"));
    }

    #[test]
    fn overlaps_are_those_of_all_texts_tried() {
        fn gives(tokens: &[Token], text: &[u8]) -> bool {
            let Some((first, rest)) = tokens.split_first() else { return text.is_empty() };
            let goes_on = |behind: &[Token]| {
                text.split_first().is_some_and(|(byte, text)| first.bytes.contains(*byte) && gives(behind, text))
            };
            if first.repeats { gives(rest, text) || goes_on(tokens) } else { goes_on(rest) }
        }
        let mut texts = vec![Vec::new()];
        let mut longest = 0;
        for _ in 0..6 {
            let from = longest;
            longest = texts.len();
            for index in from..longest {
                texts.extend(b"ab:".map(|byte| [texts[index].as_slice(), &[byte]].concat()));
            }
        }
        let sets = prop::sample::select(vec![&b"a"[..], b"b", b":", b"ab", b"b:", b"ab:"]);
        let token =
            (sets, prop::bool::weighted(0.3)).prop_map(|(set, repeats)| Token { bytes: Bytes::of(set), repeats });
        let globs = prop::collection::vec(token, 0..5).prop_map(|tokens| Glob { tokens });
        let overlapping = Cell::new(0_u32);
        let mut runner = TestRunner::new(Config { cases: 1_000, ..Config::default() });
        let result = runner.run(&(globs.clone(), globs), |(one, two)| {
            let found = texts.iter().any(|text| gives(&one.tokens, text) && gives(&two.tokens, text));
            overlapping.set(overlapping.get() + u32::from(found));
            prop_assert_eq!(one.overlaps(&two), found);
            Ok(())
        });
        assert_eq!(result, Ok(()));
        let overlapping = overlapping.get();
        assert!((100..900).contains(&overlapping), "{overlapping}");
    }
}
