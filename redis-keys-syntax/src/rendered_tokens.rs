//! Tokens rendered as text, and ranges of that text mapped back to tokens and spans.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::tokens::{Tokens, respan};

/// Tokens, and the text that the rules are checked on.
pub struct RenderedTokens {
    /// The text.
    pub text: String,
    leaves: Vec<Leaf>,
    /// The tokens outside of groups, and where each starts.
    tokens: Vec<(usize, TokenTree)>,
}

/// A token, or one bracket of a group, and its place in the text.
struct Leaf {
    range: Range<usize>,
    span: Span,
    literal: bool,
    /// Whether it is a word: a space separates it from the next one.
    word: bool,
}

impl RenderedTokens {
    /// Renders tokens.
    pub fn new(tokens: TokenStream) -> Self {
        let mut rendered = Self { text: String::new(), leaves: Vec::new(), tokens: Vec::new() };
        rendered.push_all(tokens);
        rendered
    }

    /// Pushes tokens. Groups without delimiters, which wrap a macro's arguments, are dissolved, because an option can
    /// begin in a group and end behind it.
    fn push_all(&mut self, tokens: TokenStream) {
        for token in tokens {
            let leaf = self.leaves.len();
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::None => self.push_all(group.stream()),
                token => {
                    self.push_token(&token);
                    if let Some(leaf) = self.leaves.get(leaf) {
                        self.tokens.push((leaf.range.start, token));
                    }
                }
            }
        }
    }

    /// The tokens outside of groups.
    pub fn tokens(&self) -> impl Iterator<Item = &TokenTree> {
        self.tokens.iter().map(|(_, token)| token)
    }

    /// The tokens outside of groups that start in a range of the text.
    fn bare_tokens_in(&self, range: &Range<usize>) -> Tokens {
        let inside = self.tokens.iter().filter(|(start, _)| range.contains(start));
        inside.map(|(_, token)| token.clone()).collect()
    }

    /// The text in a range.
    pub fn text_at(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    /// The tokens of a range, which must not start or end within a token: bare ones as they are, quoted ones with the
    /// span of the literal. `None` if the text of a literal cannot be split into tokens.
    pub fn tokens_in(&self, range: &Range<usize>) -> Option<Tokens> {
        if self.literal_around(range).is_none() {
            return Some(self.bare_tokens_in(range));
        }
        let (span, _) = self.edges(range)?;
        self.text_at(range).parse().ok().map(|tokens: TokenStream| respan(tokens, span).collect())
    }

    fn push_token(&mut self, token: &TokenTree) {
        match token {
            TokenTree::Group(group) => self.push_group(group),
            TokenTree::Ident(ident) => self.push(&ident.to_string(), ident.span(), true, false),
            TokenTree::Literal(literal) => self.push(&literal.to_string(), literal.span(), true, true),
            TokenTree::Punct(punct) => {
                self.push(punct.as_char().encode_utf8(&mut [0; 4]), punct.span(), false, false);
            }
        }
    }

    fn push_group(&mut self, group: &Group) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Brace => ("{", "}"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::None => ("", ""),
        };
        self.push(open, group.span_open(), false, false);
        for token in group.stream() {
            self.push_token(&token);
        }
        self.push(close, group.span_close(), false, false);
    }

    fn push(&mut self, text: &str, span: Span, word: bool, literal: bool) {
        if text.is_empty() {
            return;
        }
        if word && self.leaves.last().is_some_and(|last| last.word) {
            self.text.push(' ');
        }
        let start = self.text.len();
        self.text.push_str(text);
        self.leaves.push(Leaf { range: start..self.text.len(), span, literal, word });
    }

    /// Tokens whose spans run from the first token of the range to the last, for an error to underline.
    pub fn run(&self, range: &Range<usize>) -> Option<TokenStream> {
        let (first, last) = self.edges(range)?;
        let edge = |span: Span| TokenTree::Ident(Ident::new("edge", span));
        Some([edge(first), edge(last)].into_iter().collect())
    }

    /// The spans of the first and of the last token of a range.
    pub fn edges(&self, range: &Range<usize>) -> Option<(Span, Span)> {
        let touches = |leaf: &&Leaf| leaf.range.start < range.end.max(range.start + 1) && range.start < leaf.range.end;
        let first = self.leaves.iter().find(touches)?;
        let last = self.leaves.iter().rev().find(touches)?;
        Some((first.span, last.span))
    }

    /// The string literal that the range is a proper part of.
    pub fn literal_around(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let around = |leaf: &&Leaf| leaf.range.start < range.start && range.end < leaf.range.end;
        self.leaves.iter().filter(|leaf| leaf.literal).find(around).map(|leaf| leaf.range.clone())
    }
}
