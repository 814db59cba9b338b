//! The places of items in the source.

use proc_macro2::Span;

/// Name, file, line and column, which identify an item.
pub(crate) fn identity(name: &syn::Ident) -> String {
    match position(name.span()) {
        Some((file, line, column)) => format!("{name} {file}:{line}:{column}"),
        None => name.to_string(),
    }
}

/// The file, line and column of a token. `None` outside of a compiler, as in the tests of this crate.
pub(crate) fn position(span: Span) -> Option<(String, usize, usize)> {
    // `unwrap` converts to the compiler's span, which is available.
    let span = proc_macro::is_available().then(|| span.unwrap())?;
    Some((span.file(), span.line(), span.column()))
}
