//! `#[derive(RedisHash)]`.

mod expand;
mod fallback;
mod form;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

use crate::input::Input;
use crate::report;
use form::Forms;

/// The implementation for a right record; for a wrong one its errors, and a stand-in.
pub(crate) fn redis_hash(item: TokenStream) -> TokenStream {
    let item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let input = Input::of_record(&item);
    let mut checked = redis_keys_schema::check_record(&input.record());
    let forms = Forms::read(&input, &checked.record, &mut checked.diagnostics);
    if checked.diagnostics.is_empty() {
        return expand::expand(&input, &checked.record, &forms);
    }
    checked.diagnostics.sort_by_key(|diagnostic| diagnostic.place.position());
    let stand_in = fallback::expand(&input, &checked.record, &forms, &checked.diagnostics);
    let mut tokens = report::compile_errors(&input, checked.diagnostics);
    tokens.extend(stand_in);
    tokens
}
