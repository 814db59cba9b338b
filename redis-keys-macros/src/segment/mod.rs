//! `#[derive(KeySegment)]`.

mod expand;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use redis_keys_schema::{CheckedSegment, Diagnostic};

use crate::input::Input;
use crate::rendered::{Tokens, concat, default_crate, parsed};
use crate::{editor, report};

/// The implementation of a valid parameter type, or the errors of an invalid one and a fallback.
pub(crate) fn key_segment(item: TokenStream) -> TokenStream {
    let item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let input = Input::of_segment(&item);
    let mut checked = redis_keys_schema::check_segment(&input.segment());
    let krate = crate_path(&input, &mut checked);
    let editor = editor::code(|| editor::of_segment(&input, &krate));
    match checked.diagnostics.finish(checked.segment) {
        Ok(segment) => concat([editor, expand::expand(&input, &segment, &krate)]),
        Err(errors) => concat([editor, report::compile_errors(&input, errors), expand::fallback(&input, &krate)]),
    }
}

/// The path to redis-keys. Reports a `crate` that is not a path.
fn crate_path(input: &Input<'_>, checked: &mut CheckedSegment) -> Tokens {
    let Some((range, attribute)) = checked.crate_path.as_ref().zip(input.attributes.first()) else {
        return default_crate();
    };
    let path = parsed::<syn::Path>(&attribute.rendered, range);
    if path.is_none() {
        checked.diagnostics.push(Diagnostic::no_path(range.clone(), attribute.rendered.text_at(range)));
    }
    path.unwrap_or_else(default_crate)
}
