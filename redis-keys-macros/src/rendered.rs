//! Tokens rendered as text, and ranges of that text mapped back to tokens and spans.

use std::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use redis_keys_schema::StoredForm;

use crate::editor;

/// Tokens, and the text that the rules are checked on.
pub(crate) struct Rendered {
    pub(crate) text: String,
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

impl Rendered {
    pub(crate) fn new(tokens: TokenStream) -> Self {
        let mut rendered = Self { text: String::new(), leaves: Vec::new(), tokens: Vec::new() };
        rendered.push_all(tokens);
        rendered
    }

    /// Pushes tokens. Groups without delimiters, which are what a macro was given, are dissolved: an option can begin in one and
    /// end behind it.
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
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &TokenTree> {
        self.tokens.iter().map(|(_, token)| token)
    }

    /// The tokens outside of groups that start in a range of the text.
    fn tokens_in(&self, range: &Range<usize>) -> Tokens {
        let inside = self.tokens.iter().filter(|(start, _)| range.contains(start));
        inside.map(|(_, token)| token.clone()).collect()
    }

    /// The text in a range.
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
        let (first, last) = self.edges(range)?;
        let edge = |span: Span| TokenTree::Ident(Ident::new("edge", span));
        Some([edge(first), edge(last)].into_iter().collect())
    }

    /// The spans of the first and of the last token of a range.
    pub(crate) fn edges(&self, range: &Range<usize>) -> Option<(Span, Span)> {
        let touches = |leaf: &&Leaf| leaf.range.start < range.end.max(range.start + 1) && range.start < leaf.range.end;
        let first = self.leaves.iter().find(touches)?;
        let last = self.leaves.iter().rev().find(touches)?;
        Some((first.span, last.span))
    }

    /// The string literal that the range is a proper part of.
    pub(crate) fn literal_around(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let around = |leaf: &&Leaf| leaf.range.start < range.start && range.end < leaf.range.end;
        self.leaves.iter().filter(|leaf| leaf.literal).find(around).map(|leaf| leaf.range.clone())
    }
}

/// Tokens that are interpolated several times. Each interpolation of a `TokenStream` calls the compiler; that of single tokens
/// does not.
#[derive(Clone)]
pub(crate) struct Tokens(Vec<TokenTree>);

impl Tokens {
    pub(crate) fn respanned(&self, span: Span) -> Self {
        respan(self.0.iter().cloned(), span).collect()
    }

    /// The path with one more name.
    pub(crate) fn join(mut self, name: &str, span: Span) -> Self {
        for spacing in [Spacing::Joint, Spacing::Alone] {
            let mut colon = Punct::new(':', spacing);
            colon.set_span(span);
            self.0.push(colon.into());
        }
        self.0.push(Ident::new(name, span).into());
        self
    }
}

impl FromIterator<TokenTree> for Tokens {
    fn from_iter<I: IntoIterator<Item = TokenTree>>(tokens: I) -> Self {
        Self(tokens.into_iter().collect())
    }
}

impl ToTokens for Tokens {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(self.0.iter().cloned());
    }
}

/// One stream, without a call into the compiler for empty ones.
pub(crate) fn concat(streams: impl IntoIterator<Item = TokenStream>) -> TokenStream {
    let streams = streams.into_iter().filter(|stream| !stream.is_empty());
    let all = streams.reduce(|mut all, stream| {
        all.extend([stream]);
        all
    });
    all.unwrap_or_default()
}

/// A group in parentheses.
pub(crate) fn parenthesized(tokens: TokenStream) -> Group {
    Group::new(Delimiter::Parenthesis, tokens)
}

/// The same tokens, all with one span. `$crate` still resolves to the crate of its macro.
fn respan(tokens: impl IntoIterator<Item = TokenTree>, span: Span) -> impl Iterator<Item = TokenTree> {
    tokens.into_iter().map(move |mut token| {
        let is_crate = matches!(&token, TokenTree::Ident(ident) if ident == "$crate");
        if let TokenTree::Group(group) = &token {
            let inner: Vec<_> = respan(group.stream(), span).collect();
            token = TokenTree::Group(Group::new(group.delimiter(), inner.into_iter().collect()));
        }
        token.set_span(if is_crate { token.span().located_at(span) } else { span });
        token
    })
}

/// The tokens of a range, if they parse.
pub(crate) fn parsed<T: syn::parse::Parse>(attribute: &Rendered, range: &Range<usize>) -> Option<Tokens> {
    let tokens = tokens_at(attribute, range)?;
    syn::parse2::<T>(tokens.to_token_stream()).is_ok().then_some(tokens)
}

/// The tokens of a stored form, with the names of our own forms resolved. `None` if they are no type.
pub(crate) fn type_of_form(attribute: &Rendered, form: &StoredForm, krate: &Tokens) -> Option<Tokens> {
    if form.scalar {
        return tokens_at(attribute, &form.range);
    }
    parsed::<syn::Type>(attribute, &form.range).map(|tokens| with_our_forms(tokens, form, krate))
}

/// The tokens of a range: bare ones as they are, quoted ones with the span of the literal.
fn tokens_at(attribute: &Rendered, range: &Range<usize>) -> Option<Tokens> {
    if attribute.literal_around(range).is_none() {
        return Some(attribute.tokens_in(range));
    }
    let (span, _) = attribute.edges(range)?;
    attribute.text_at(range).parse().ok().map(|tokens: TokenStream| respan(tokens, span).collect())
}

/// Replaces the names of our own forms by their paths. They are the heads of nested generics, so every second token is one:
/// `Zstd < Json < …`.
fn with_our_forms(tokens: Tokens, form: &StoredForm, krate: &Tokens) -> Tokens {
    if form.ours.is_empty() {
        return tokens;
    }
    let named = |(number, token): (usize, TokenTree)| match token {
        TokenTree::Ident(name) if number % 2 == 0 && number / 2 < form.ours.len() => {
            // In an editor, the path is not what the user's word means.
            let span = if editor::is_running() { Span::call_site() } else { name.span() };
            krate.respanned(span).join("stored", span).join(&name.to_string(), name.span()).0
        }
        token => vec![token],
    };
    tokens.0.into_iter().enumerate().flat_map(named).collect()
}

/// The path to redis-keys without `crate = path`.
pub(crate) fn default_crate() -> Tokens {
    Tokens(Vec::new()).join("redis_keys", Span::call_site())
}
