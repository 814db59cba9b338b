//! `#[derive(RedisKey)]`.

mod expand;
mod fallback;
mod parse;
#[cfg(test)]
mod tests;
mod types;

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::sync::{LazyLock, Mutex, PoisonError};

use proc_macro2::TokenStream;
use redis_keys_schema::{Sibling, Warning};
use redis_keys_syntax::{ReadKey, Siblings, read_key, schema};
use types::Types;

use crate::item::{identity, parse, position};
use crate::tokens::concat;
use crate::{built, editor, policy, report};

/// The implementations of a valid declaration, or the errors of an invalid one and a fallback.
pub(crate) fn redis_key(item: TokenStream) -> TokenStream {
    let item = match parse(item) {
        Ok(item) => item,
        Err(error) => return error,
    };
    let mut policy = policy::of_package(|| identity(&item.ident));
    let ReadKey { input, declaration, code, diagnostics, mut warnings, sibling } = read_key(&item, &policy.policy);
    let types = Types::new(code, &declaration);
    if let Some(sibling) = sibling {
        warnings.extend(check_siblings(&sibling, identity(&item.ident)));
    }
    warnings.splice(0..0, policy.warnings());
    let (policy, warnings) = (policy.tokens(&types.krate), report::warnings(&input, warnings));
    let editor = editor::code(|| editor::of_key(&input, &declaration.summary(), &types.krate));
    let (file, line, _) = position(item.ident.span()).unwrap_or_default();
    let schema = schema(&input, &declaration, file, line);
    match diagnostics.finish(schema.and_then(|schema| Ok((declaration.template_and_kind()?, schema)))) {
        Ok(((template, _), schema)) => {
            let written = built::write_key(&input, &schema);
            concat([editor, policy, warnings, written, expand::expand(&input, &declaration, template, &schema, &types)])
        }
        Err(errors) => {
            let reported = report::fields_with_type_errors(&errors);
            let errors = report::compile_errors(&input, errors);
            concat([editor, policy, warnings, errors, fallback::expand(&input, &declaration, &types, &reported)])
        }
    }
}

/// The keys of each crate for `sibling_fields`, by the folder of the package and the name of the crate.
type Crates = HashMap<[Option<OsString>; 2], Siblings>;

static CRATES: LazyLock<Mutex<Crates>> = LazyLock::new(Mutex::default);

/// The warning for a key that is a field of the same object as an earlier one. `declared` identifies the declaration.
fn check_siblings(sibling: &Sibling, declared: String) -> Option<Warning> {
    let mut crates = CRATES.lock().unwrap_or_else(PoisonError::into_inner);
    let siblings = crates.entry(["CARGO_MANIFEST_DIR", "CARGO_CRATE_NAME"].map(env::var_os)).or_default();
    siblings.check(sibling, declared)
}
