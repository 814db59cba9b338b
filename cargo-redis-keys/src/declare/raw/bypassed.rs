//! The declaration that a command bypasses.

use redis_keys_core::legacy::{FormatPart, format_parts};
use redis_keys_schema::legacy::Glob;

use super::key_text::{KeyText, SourcePart};
use crate::declare::catalog::{Catalog, Key};

/// The declarations, by the texts that their keys can have.
pub(crate) struct DeclaredTexts<'c> {
    patterns: Vec<(&'c Key, Vec<Token>)>,
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Text(String),
    /// Any text without a colon.
    Segment,
    /// Any text.
    Any,
}

impl<'c> DeclaredTexts<'c> {
    pub(crate) fn new(catalog: &'c Catalog) -> Self {
        let patterns = catalog.keys.iter().flat_map(|key| {
            let legacy = key.legacy.iter().chain(&key.formerly).map(|text| pattern(text, &Token::Any));
            legacy.chain([pattern(&key.template, &Token::Segment)]).map(move |pattern| (key, pattern))
        });
        Self { patterns: patterns.collect() }
    }

    /// The declaration whose keys can have the text. Of several, the declaration with most literal text.
    pub(crate) fn find(&self, text: &KeyText) -> Option<&'c Key> {
        let tokens = tokens(text);
        let literal = |pattern: &[Token]| texts(pattern).map(str::len).sum::<usize>();
        let matches = |pattern: &[Token]| have_a_word(pattern, &tokens) && overlap(pattern, &tokens);
        let matching = self.patterns.iter().filter(|(_, pattern)| matches(pattern));
        matching.max_by_key(|(_, pattern)| literal(pattern)).map(|(key, _)| *key)
    }
}

/// The keys of a template or a legacy text.
fn pattern(text: &str, parameter: &Token) -> Vec<Token> {
    let tokens = format_parts(text).map(|part| match part {
        FormatPart::Literal(text) => Token::Text(text.to_owned()),
        FormatPart::Field { .. } | FormatPart::Stray { .. } => parameter.clone(),
    });
    tokens.collect()
}

/// The keys of a text in the sources. A parameter at the start is often a prefix of several segments.
fn tokens(text: &KeyText) -> Vec<Token> {
    let tokens = text.0.iter().enumerate().map(|(index, part)| match part {
        SourcePart::Text(text) => Token::Text(text.clone()),
        SourcePart::Parameter(_) if index > 0 => Token::Segment,
        SourcePart::Parameter(_) | SourcePart::Unknown => Token::Any,
    });
    tokens.collect()
}

fn texts(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens.iter().filter_map(|token| match token {
        Token::Text(text) => Some(text.as_str()),
        Token::Segment | Token::Any => None,
    })
}

/// Whether both have a word in common: without such a word, only separators are compared.
fn have_a_word(one: &[Token], other: &[Token]) -> bool {
    let is_separator = |sign: char| sign.is_ascii() && !sign.is_ascii_alphanumeric();
    let words = |tokens| texts(tokens).flat_map(move |text| text.split(is_separator)).filter(|word| !word.is_empty());
    words(one).any(|word| words(other).any(|other| word == other))
}

/// Whether both can be the same text.
fn overlap(one: &[Token], other: &[Token]) -> bool {
    glob(one).overlaps(&glob(other))
}

fn glob(tokens: &[Token]) -> Glob {
    let mut glob = Glob::default();
    for token in tokens {
        match token {
            Token::Text(text) => glob.push_literal(text),
            Token::Segment => glob.push_text(Some(b':')),
            Token::Any => glob.push_text(None),
        }
    }
    glob
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declare::raw::Parameter;

    #[test]
    fn texts_are_compared_by_what_they_can_be() {
        let source = |text: &str| {
            let part = |part: FormatPart<'_>| match part {
                FormatPart::Literal(text) => SourcePart::Text(text.to_owned()),
                FormatPart::Field { name: "…", .. } | FormatPart::Stray { .. } => SourcePart::Unknown,
                FormatPart::Field { name, .. } => SourcePart::Parameter(Parameter { name: name.to_owned(), ty: None }),
            };
            KeyText(format_parts(text).map(part).collect())
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
            let (pattern, tokens) = (pattern(declared, &parameter), tokens(&source(text)));
            let found = have_a_word(&pattern, &tokens) && overlap(&pattern, &tokens);
            assert_eq!(found, expected, "{text} {declared}");
        }
    }
}
