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

use crate::input::Input;
use crate::rendered::concat;
use crate::{editor, policy, report};
use types::Types;

/// The implementations of a valid declaration, or the errors of an invalid one and a fallback.
pub(crate) fn redis_key(item: TokenStream) -> TokenStream {
    let item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let input = Input::new(&item);
    let mut policy = policy::of_package(|| input.place());
    let mut checked = redis_keys_schema::check(&input.item(), &policy.policy);
    let types = Types::read(&input, &checked.declaration, &mut checked.diagnostics);
    if let Some(sibling) = checked.sibling.take() {
        checked.warnings.extend(siblings::check(&input, &sibling));
    }
    checked.warnings.splice(0..0, policy.warnings());
    let (policy, warnings) = (policy.tokens(&types.krate), report::warnings(&input, checked.warnings));
    let declaration = &checked.declaration;
    let editor = editor::code(|| editor::of_key(&input, &declaration.summary(), &types.krate));
    match checked.diagnostics.finish(declaration.template_and_kind()) {
        Ok((template, kind)) => {
            concat([editor, policy, warnings, expand::expand(&input, declaration, template, kind, &types)])
        }
        Err(errors) => {
            let reported = report::fields_with_type_errors(&errors);
            let errors = report::compile_errors(&input, errors);
            concat([editor, policy, warnings, errors, fallback::expand(&input, declaration, &types, &reported)])
        }
    }
}
