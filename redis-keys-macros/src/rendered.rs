//! Tokens as text, and ranges of that text as spans again.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

/// Tokens as the text that the rules are checked on.
pub(crate) struct Rendered {
    pub(crate) text: String,
    leaves: Vec<Leaf>,
    /// The tokens outside groups, and where each starts.
    tokens: Vec<(usize, TokenTree)>,
}

/// A token, or one bracket of a group, and where it stands in the text.
struct Leaf {
    range: Range<usize>,
    span: Span,
    literal: bool,
    /// Words that follow each other are kept apart by a space: that is how white space between them is seen.
    word: bool,
}

impl Rendered {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        let mut rendered = Self { text: String::new(), leaves: Vec::new(), tokens: Vec::new() };
        for token in tokens {
            let leaf = rendered.leaves.len();
            rendered.push_token(&token);
            if let Some(leaf) = rendered.leaves.get(leaf) {
                rendered.tokens.push((leaf.range.start, token));
            }
        }
        rendered
    }

    /// The tokens outside groups that start in a range of the text.
    pub(crate) fn tokens_in(&self, range: &Range<usize>) -> TokenStream {
        let inside = self.tokens.iter().filter(|(start, _)| range.contains(start));
        inside.map(|(_, token)| token.clone()).collect()
    }

    /// A range of the text.
    pub(crate) fn text_at(&self, range: &Range<usize>) -> &str {
        self.text.get(range.clone()).unwrap_or_default()
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
    pub(crate) fn run(&self, range: &Range<usize>) -> Option<TokenStream> {
        let touches = |leaf: &&Leaf| leaf.range.start < range.end.max(range.start + 1) && range.start < leaf.range.end;
        let first = self.leaves.iter().find(touches)?;
        let last = self.leaves.iter().rev().find(touches)?;
        let edge = |leaf: &Leaf| TokenTree::Ident(Ident::new("edge", leaf.span));
        Some([edge(first), edge(last)].into_iter().collect())
    }

    /// The string literal that the range is a part of, if it is no more than a part.
    pub(crate) fn literal_around(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let around = |leaf: &&Leaf| leaf.range.start < range.start && range.end < leaf.range.end;
        self.leaves.iter().filter(|leaf| leaf.literal).find(around).map(|leaf| leaf.range.clone())
    }
}

/// The same tokens, all of them with one span; but `$crate` stays the crate whose macro it stands in.
pub(crate) fn respanned(tokens: TokenStream, span: Span) -> TokenStream {
    let respan = |mut token: TokenTree| {
        let own = matches!(&token, TokenTree::Ident(ident) if ident == "$crate");
        if let TokenTree::Group(group) = &token {
            token = TokenTree::Group(Group::new(group.delimiter(), respanned(group.stream(), span)));
        }
        token.set_span(if own { token.span().located_at(span) } else { span });
        token
    };
    tokens.into_iter().map(respan).collect()
}
