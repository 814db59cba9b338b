//! The Rust code in attributes: types and paths.

use std::ops::Range;

use quote::ToTokens;
use redis_keys_schema::{Diagnostic, Diagnostics, StoredForm};
use syn::parse::Parse;

use crate::input::Input;
use crate::nesting::{MAX_NESTING, too_deep};
use crate::rendered_tokens::RenderedTokens;
use crate::tokens::Tokens;

/// The path to redis-keys that the first attribute gives at a range. Reports a `crate` that is not a path.
pub(crate) fn crate_path(
    input: &Input<'_>,
    range: Option<&Range<usize>>,
    diagnostics: &mut Diagnostics,
) -> Option<Tokens> {
    let (text, range) = (&input.attributes.first()?.rendered, range?);
    let path = parsed::<syn::Path>(text, range);
    if path.is_none() {
        diagnostics.push(Diagnostic::no_path(range.clone(), text.text_at(range)));
    }
    path
}

/// The type of a stored form.
pub(crate) fn form(text: &RenderedTokens, form: &StoredForm) -> Result<Tokens, Diagnostic> {
    // A quoted type was not seen when the item was parsed.
    if text.tokens_in(&form.range).is_some_and(|tokens| too_deep(&tokens.to_token_stream()).is_some()) {
        return Err(Diagnostic::nested_type(form.range.clone(), MAX_NESTING));
    }
    // The rules know scalars by their text.
    let tokens = if form.scalar { text.tokens_in(&form.range) } else { parsed::<syn::Type>(text, &form.range) };
    tokens.ok_or_else(|| Diagnostic::no_type(form.range.clone(), text.text_at(&form.range)))
}

/// The tokens of a range, if they parse.
fn parsed<T: Parse>(text: &RenderedTokens, range: &Range<usize>) -> Option<Tokens> {
    let tokens = text.tokens_in(range)?;
    let stream = tokens.to_token_stream();
    (too_deep(&stream).is_none() && syn::parse2::<T>(stream).is_ok()).then_some(tokens)
}
