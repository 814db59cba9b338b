//! `#[derive(RedisKey)]`.

mod declaration;
mod expand;
mod fallback;
mod parse;
mod siblings;
#[cfg(test)]
mod tests;
mod types;

use proc_macro2::TokenStream;
use redis_keys_syntax::{ReadKey, read_key};
use syn::DeriveInput;

use crate::position::identity;
use crate::tokens::concat;
use crate::{catalogue, editor, policy, report};
use types::Types;

/// The implementations of a valid declaration, or the errors of an invalid one and a fallback.
pub(crate) fn redis_key(item: TokenStream) -> TokenStream {
    let item: DeriveInput = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let mut policy = policy::of_package(|| identity(&item.ident));
    let ReadKey { input, declaration, code, diagnostics, mut warnings, sibling } = read_key(&item, &policy.policy);
    let types = Types::new(code, &declaration);
    if let Some(sibling) = sibling {
        warnings.extend(siblings::check(&sibling, identity(&item.ident)));
    }
    warnings.splice(0..0, policy.warnings());
    let (policy, warnings) = (policy.tokens(&types.krate), report::warnings(&input, warnings));
    let editor = editor::code(|| editor::of_key(&input, &declaration.summary(), &types.krate));
    match diagnostics.finish(declaration.template_and_kind()) {
        Ok((template, kind)) => {
            let written = catalogue::write_key(&input, &declaration);
            concat([editor, policy, warnings, written, expand::expand(&input, &declaration, template, kind, &types)])
        }
        Err(errors) => {
            let reported = report::fields_with_type_errors(&errors);
            let errors = report::compile_errors(&input, errors);
            concat([editor, policy, warnings, errors, fallback::expand(&input, &declaration, &types, &reported)])
        }
    }
}
