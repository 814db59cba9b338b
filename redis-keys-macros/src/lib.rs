//! The derive macro of [`redis-keys`], which documents and re-exports it.
//!
//! It is a shell: tokens become text, `redis-keys-schema` says what is wrong with the text, and the byte ranges of its
//! answer become spans again. What is right becomes trait implementations.
//!
//! [`redis-keys`]: https://docs.rs/redis-keys

mod expand;
mod fallback;
mod generics;
mod input;
mod rendered;
mod report;
#[cfg(test)]
mod tests;
mod value;

use proc_macro2::TokenStream;

use input::Input;

/// Declares a key of Redis. The `redis-keys` crate explains the attribute.
#[proc_macro_derive(RedisKey, attributes(redis_key))]
pub fn derive_redis_key(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    redis_key(item.into()).into()
}

/// The implementations for a right declaration; for a wrong one its errors, and stand-ins.
fn redis_key(item: TokenStream) -> TokenStream {
    let item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let input = Input::new(&item);
    let mut checked = redis_keys_schema::check(&input.item());
    let value = value::read(&input, &checked.declaration, &mut checked.diagnostics);
    if checked.diagnostics.is_empty() {
        return expand::expand(&input, &checked.declaration, value.as_ref());
    }
    checked.diagnostics.sort_by_key(|diagnostic| diagnostic.place.position());
    let refused = report::refused_fields(&checked.diagnostics);
    let mut tokens = report::compile_errors(&input, checked.diagnostics);
    tokens.extend(fallback::expand(&input, &checked.declaration, value.as_ref(), &refused));
    tokens
}
