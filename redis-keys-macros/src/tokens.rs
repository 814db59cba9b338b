//! Tokens of an expansion: streams, groups and paths.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use redis_keys_schema::StoredForm;
use redis_keys_syntax::Tokens;

use crate::editor;

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

/// The path to redis-keys, if `crate = path` is not given.
pub(crate) fn crate_path(given: Option<Tokens>) -> Tokens {
    given.unwrap_or_else(|| Tokens::default().join("redis_keys", Span::call_site()))
}

/// Replaces the names of our own forms by their paths. They are the heads of nested generics, so every second token is
/// one: `Zstd < Json < …`.
pub(crate) fn with_our_forms(tokens: Tokens, form: &StoredForm, krate: &Tokens) -> Tokens {
    if form.ours.is_empty() {
        return tokens;
    }
    let named = |(index, token): (usize, TokenTree)| match token {
        TokenTree::Ident(name) if index % 2 == 0 && index / 2 < form.ours.len() => {
            // In an editor, the path differs from the meaning of the user's word.
            let span = if editor::is_running() { Span::call_site() } else { name.span() };
            krate.respanned(span).join("stored", span).join(&name.to_string(), name.span())
        }
        token => [token].into_iter().collect(),
    };
    tokens.into_iter().enumerate().flat_map(named).collect()
}
