//! `#[derive(KeySegment)]`.

mod expand;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use redis_keys_syntax::{ReadSegment, read_segment};

use crate::item::parse;
use crate::tokens::{concat, crate_path};
use crate::{built, editor, report};

/// The implementation of a valid parameter type, or the errors of an invalid one and a fallback.
pub(crate) fn key_segment(item: TokenStream) -> TokenStream {
    let item = match parse(item) {
        Ok(item) => item,
        Err(error) => return error,
    };
    let ReadSegment { input, segment, krate, diagnostics } = read_segment(&item);
    let krate = crate_path(krate);
    let editor = editor::code(|| editor::of_segment(&input, &krate));
    match diagnostics.finish(segment) {
        Ok(segment) => {
            let written = built::write_segment(&input, &segment);
            concat([editor, written, expand::expand(&input, &segment, &krate)])
        }
        Err(errors) => concat([editor, report::compile_errors(&input, errors), expand::fallback(&input, &krate)]),
    }
}
