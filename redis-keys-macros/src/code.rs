//! Rust that stands in an attribute.

use std::ops::Range;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use redis_keys_schema::StoredForm;

use crate::rendered::{Rendered, respanned};

/// The tokens of a range, if they parse.
pub(crate) fn parsed<T: syn::parse::Parse>(attribute: &Rendered, range: &Range<usize>) -> Option<TokenStream> {
    let tokens = tokens_at(attribute, range)?;
    syn::parse2::<T>(tokens.clone()).is_ok().then_some(tokens)
}

/// The tokens of a range: bare ones as they are, quoted ones with the span of the literal.
fn tokens_at(attribute: &Rendered, range: &Range<usize>) -> Option<TokenStream> {
    if attribute.literal_around(range).is_none() {
        return Some(attribute.tokens_in(range));
    }
    let span = attribute.run(range)?.into_iter().next()?.span();
    attribute.text_at(range).parse().ok().map(|tokens| respanned(tokens, span))
}

/// Puts the path of our own form in the place of each of their names. They are the heads of nested generics, so each
/// second token is one: `Zstd < Json < …`.
pub(crate) fn with_our_forms(tokens: TokenStream, form: &StoredForm, krate: &TokenStream) -> TokenStream {
    let named = |(number, token): (usize, TokenTree)| match token {
        TokenTree::Ident(ident) if number % 2 == 0 && number / 2 < form.ours.len() => {
            let span = ident.span();
            let krate = respanned(krate.clone(), span);
            quote_spanned!(span=> #krate::stored::#ident)
        }
        token => token.into(),
    };
    flat(tokens).into_iter().enumerate().map(named).collect()
}

/// Takes away the invisible brackets that a `macro_rules!` fragment has around it.
fn flat(tokens: TokenStream) -> TokenStream {
    let flatten = |token: TokenTree| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => flat(group.stream()),
        token => token.into(),
    };
    tokens.into_iter().map(flatten).collect()
}

/// Where redis-keys lives, unless it is said.
pub(crate) fn default_crate() -> TokenStream {
    let name = Ident::new("redis_keys", Span::call_site());
    quote!(::#name)
}
