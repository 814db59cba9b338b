//! Patterns of unknown keys, as they are shown: `user:{integer}`.

use redis_keys_core::legacy::{FormatPart, LegacyText, format_parts};

use crate::operate::server::glob::has_texts;

/// A character of a pattern, or a whole parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign<'p> {
    Text(char),
    /// With its class's name.
    Parameter(&'p str),
}

/// The signs of a pattern. Braces of its text are doubled.
fn signs(pattern: &str) -> Vec<Sign<'_>> {
    let mut signs = Vec::new();
    for part in format_parts(pattern) {
        match part {
            FormatPart::Literal(text) => signs.extend(text.chars().map(Sign::Text)),
            FormatPart::Field { range, .. } => {
                signs.extend(pattern.get(range.start + 1..range.end - 1).map(Sign::Parameter));
            }
            FormatPart::Stray { brace, .. } => signs.push(Sign::Text(brace)),
        }
    }
    signs
}

/// Whether all keys of the other pattern can have this pattern.
pub(super) fn contains(pattern: &str, other: &str) -> bool {
    let other = signs(other);
    let mut ends = vec![0];
    for sign in signs(pattern) {
        let mut next = Vec::new();
        for start in ends {
            let rest = other.get(start..).unwrap_or_default();
            let longest = rest.iter().take_while(|part| is_part(sign, **part)).count();
            let longest = if matches!(sign, Sign::Text(_)) { longest.min(1) } else { longest };
            next.extend(start + 1..=start + longest);
        }
        next.sort_unstable();
        next.dedup();
        ends = next;
    }
    ends.contains(&other.len())
}

/// Whether this sign can stand for a part of another pattern.
fn is_part(sign: Sign<'_>, part: Sign<'_>) -> bool {
    let is_separator = matches!(part, Sign::Text(':' | '/' | '|') | Sign::Parameter("path"));
    match (sign, part) {
        // Numbers are values of these as well, including numbers that were always the same.
        (Sign::Parameter("path"), _) | (Sign::Parameter("hex" | "random"), Sign::Parameter("integer")) => true,
        (Sign::Parameter("text"), _) => !is_separator,
        (Sign::Parameter("integer" | "hex" | "random"), Sign::Text(digit)) => digit.is_ascii_digit(),
        (sign, part) => sign == part,
    }
}

/// Whether a key has a pattern. A value can be any text.
pub(super) fn matches(pattern: &str, key: &[u8]) -> bool {
    has_texts(LegacyText::read(pattern).literals, key)
}
