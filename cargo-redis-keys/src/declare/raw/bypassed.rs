//! The declaration that a command bypasses.

use super::format_text::{Part, parts};
use super::key_text::{KeyText, SourcePart};
use crate::declare::catalog::{Catalog, Key};

/// The declarations, by the texts that their keys can have.
pub(crate) struct Declared<'c> {
    patterns: Vec<(&'c Key, Vec<Token>)>,
}

/// A part of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    Byte(u8),
    /// Any text without a colon.
    Segment,
    /// Any text.
    Any,
}

impl<'c> Declared<'c> {
    pub(crate) fn new(catalog: &'c Catalog) -> Self {
        let patterns = catalog.keys.iter().flat_map(|key| {
            let legacy = key.legacy.iter().chain(&key.formerly).map(|text| pattern(text, Token::Any));
            legacy.chain([pattern(&key.template, Token::Segment)]).map(move |pattern| (key, pattern))
        });
        Self { patterns: patterns.collect() }
    }

    /// The declaration whose keys can have the text. Of several, the one with most text of its own.
    pub(crate) fn find(&self, text: &KeyText) -> Option<&'c Key> {
        let tokens = tokens(text);
        let literal = |pattern: &[Token]| pattern.iter().filter(|token| matches!(token, Token::Byte(_))).count();
        let matching = self.patterns.iter().filter(|(_, pattern)| have_a_word(pattern, &tokens));
        let matching = matching.filter(|(_, pattern)| overlap(pattern, &tokens));
        matching.max_by_key(|(_, pattern)| literal(pattern)).map(|(key, _)| *key)
    }
}

/// The keys of a template or a legacy text.
fn pattern(text: &str, parameter: Token) -> Vec<Token> {
    let tokens = parts(text).into_iter().flat_map(|part| match part {
        Part::Text(text) => text.bytes().map(Token::Byte).collect(),
        Part::Index(_) | Part::Name(_) | Part::Formatted(_) => vec![parameter],
    });
    tokens.collect()
}

/// The keys of a text in the sources. What stands first is often a prefix of several segments.
fn tokens(text: &KeyText) -> Vec<Token> {
    let tokens = text.0.iter().enumerate().flat_map(|(index, part)| match part {
        SourcePart::Text(text) => text.bytes().map(Token::Byte).collect(),
        SourcePart::Parameter(_) if index > 0 => vec![Token::Segment],
        SourcePart::Parameter(_) | SourcePart::Unknown => vec![Token::Any],
    });
    tokens.collect()
}

/// Whether both have a word in common: without one, all that is compared is separators.
fn have_a_word(one: &[Token], other: &[Token]) -> bool {
    let words = |tokens: &[Token]| {
        let byte = |token: &Token| match token {
            Token::Byte(byte) if byte.is_ascii_alphanumeric() || !byte.is_ascii() => *byte,
            _ => b':',
        };
        let text: Vec<u8> = tokens.iter().map(byte).collect();
        text.split(|byte| *byte == b':').filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let others = words(other);
    words(one).iter().any(|word| others.contains(word))
}

/// Whether both can be the same text.
fn overlap(one: &[Token], other: &[Token]) -> bool {
    let width = other.len() + 1;
    let mut reached = vec![false; (one.len() + 1) * width];
    if let Some(first) = reached.first_mut() {
        *first = true;
    }
    for at in 0..reached.len() {
        if reached.get(at) != Some(&true) {
            continue;
        }
        let (first, second) = (one.get(at / width), other.get(at % width));
        let mut reach = |step: usize| {
            if let Some(next) = reached.get_mut(at + step) {
                *next = true;
            }
        };
        let is_repeated = |token: Option<&Token>| matches!(token, Some(Token::Segment | Token::Any));
        if is_repeated(first) || first.zip(second).is_some_and(|(first, second)| accepts(*second, *first)) {
            reach(width);
        }
        if is_repeated(second) || first.zip(second).is_some_and(|(first, second)| accepts(*first, *second)) {
            reach(1);
        }
        if let (Some(Token::Byte(first)), Some(Token::Byte(second))) = (first, second)
            && first == second
        {
            reach(width + 1);
        }
    }
    reached.last() == Some(&true)
}

/// Whether the text of a repeated token can contain a byte.
fn accepts(repeated: Token, byte: Token) -> bool {
    match (repeated, byte) {
        (Token::Any, Token::Byte(_)) => true,
        (Token::Segment, Token::Byte(byte)) => byte != b':',
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_compared_by_what_they_can_be() {
        let source = |text: &str| {
            KeyText(
                parts(text)
                    .into_iter()
                    .map(|part| match part {
                        Part::Text(text) => SourcePart::Text(text),
                        Part::Name(name) if name == "…" => SourcePart::Unknown,
                        Part::Name(name) => SourcePart::Parameter(crate::declare::raw::Parameter { name, ty: None }),
                        Part::Index(_) | Part::Formatted(_) => SourcePart::Unknown,
                    })
                    .collect(),
            )
        };
        for (text, declared, parameter, expected) in [
            ("user:{id}:profile", "user:{user_id}:profile", Token::Any, true),
            ("user:5:profile", "user:{user_id}:profile", Token::Segment, true),
            ("user:{id}:settings", "user:{user_id}:profile", Token::Any, false),
            ("{prefix}:user:{id}:profile", "user:{user_id}:profile", Token::Segment, false),
            ("{prefix}user:{id}:profile", "user:{user_id}:profile", Token::Any, true),
            ("user:{id}", "user:profile:{id}:hash", Token::Segment, false),
            ("user:{…}", "user:profile:{id}:hash", Token::Segment, true),
            ("{a}:{b}", "{host}:{pid}", Token::Any, false),
            ("user:{id}:x:y", "user:{id}", Token::Segment, false),
            ("user:{id}:x:y", "user:{id}", Token::Any, true),
            ("{{{id}}}:cart", "{{{user}}}:cart", Token::Any, true),
            ("", "", Token::Any, false),
        ] {
            let (pattern, tokens) = (pattern(declared, parameter), tokens(&source(text)));
            let found = have_a_word(&pattern, &tokens) && overlap(&pattern, &tokens);
            assert_eq!(found, expected, "{text} {declared}");
        }
    }
}
