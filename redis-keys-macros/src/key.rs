//! `#[derive(RedisKey)]`.

mod expand;
mod fallback;
mod parse;
#[cfg(test)]
mod tests;
mod types;
mod values;

use std::collections::HashMap;
use std::env;
use std::ffi::OsString;
use std::sync::{LazyLock, Mutex, PoisonError};

use self::expand::Expansion;
use self::types::Types;
use proc_macro2::TokenStream;
use redis_keys_schema::{Sibling, Warning};
use redis_keys_syntax::{ReadKey, Siblings, read_key, schema};

use crate::item::{identity, parse, position};
use crate::tokens::concat;
use crate::{built, editor, policy, report};

/// The implementations of a valid declaration, or the errors of an invalid one and a fallback.
pub(crate) fn redis_key(item: TokenStream) -> TokenStream {
    expand(item, values::are_asked_for())
}

/// Expands a declaration, with a test that reports the shapes of its values if they are asked for.
fn expand(item: TokenStream, asks_for_values: bool) -> TokenStream {
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
            let expansion = Expansion::new(&input, &declaration, template, &schema, &types);
            let values = asks_for_values.then(|| expansion.values_test()).flatten().unwrap_or_default();
            concat([editor, policy, warnings, written, expansion.key(), values])
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
