//! `#[derive(KeySegment)]`.

mod expand;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use redis_keys_schema::{Diagnostic, Segment};

use crate::input::Input;
use crate::rendered::{Tokens, default_crate, parsed};
use crate::report;

/// The implementation of a valid parameter type, or the errors of an invalid one and a fallback.
pub(crate) fn key_segment(item: TokenStream) -> TokenStream {
    let item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let input = Input::of_segment(&item);
    let mut checked = redis_keys_schema::check_segment(&input.segment());
    let krate = crate_path(&input, &checked.segment, &mut checked.diagnostics);
    if checked.diagnostics.is_empty() {
        return expand::expand(&input, &checked.segment, &krate);
    }
    Diagnostic::sort(&mut checked.diagnostics);
    let mut tokens = report::compile_errors(&input, checked.diagnostics);
    tokens.extend(expand::fallback(&input, &krate));
    tokens
}

/// The path to redis-keys. Reports a `crate` that is not a path.
fn crate_path(input: &Input<'_>, segment: &Segment, diagnostics: &mut Vec<Diagnostic>) -> Tokens {
    let Some((range, attribute)) = segment.crate_path.as_ref().zip(input.attributes.first()) else {
        return default_crate();
    };
    let path = parsed::<syn::Path>(&attribute.rendered, range);
    if path.is_none() {
        diagnostics.push(Diagnostic::no_path(range.clone(), attribute.rendered.text_at(range)));
    }
    path.unwrap_or_else(default_crate)
}
