//! `#[derive(RedisHash)]`.

mod expand;
mod fallback;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use redis_keys_schema::RecordField;
use redis_keys_syntax::{FieldForm, ReadRecord, Tokens, read_record};

use crate::item::{identity, parse};
use crate::tokens::{concat, crate_path, with_our_forms};
use crate::{editor, policy, report};

/// The implementation of a valid record, or the errors of an invalid one and a fallback.
pub(crate) fn redis_hash(item: TokenStream) -> TokenStream {
    let item = match parse(item) {
        Ok(item) => item,
        Err(error) => return error,
    };
    let mut policy = policy::of_package(|| identity(&item.ident));
    let ReadRecord { input, record, krate, forms, diagnostics, mut warnings } = read_record(&item, &policy.policy);
    let fields = record.fields;
    let forms = Forms::new(krate, fields.as_deref().unwrap_or_default(), forms);
    warnings.splice(0..0, policy.warnings());
    let (policy, warnings) = (policy.tokens(&forms.krate), report::warnings(&input, warnings));
    let editor = editor::code(|| editor::of_record(&input, &forms.krate));
    match diagnostics.finish(fields.as_deref().map_err(|reported| *reported)) {
        Ok(fields) => concat([editor, policy, warnings, expand::expand(&input, fields, &forms)]),
        Err(errors) => {
            let fallback = fallback::expand(&input, fields.as_deref().unwrap_or_default(), &forms, &errors);
            concat([editor, policy, warnings, report::compile_errors(&input, errors), fallback])
        }
    }
}

/// The Rust code in the attributes: the path to redis-keys and the types of stored forms.
pub(crate) struct Forms {
    /// The path to redis-keys.
    pub(crate) krate: Tokens,
    /// The declared form of each field, with the names of our own forms resolved.
    pub(crate) declared: Vec<Option<FieldForm>>,
}

impl Forms {
    fn new(krate: Option<Tokens>, fields: &[RecordField], forms: Vec<Option<FieldForm>>) -> Self {
        let krate = crate_path(krate);
        let resolved = |(field, form): (&RecordField, Option<FieldForm>)| {
            let ((_, declared), FieldForm { tokens, text }) = field.value.as_ref().zip(form)?;
            Some(FieldForm { tokens: with_our_forms(tokens, declared, &krate), text })
        };
        let declared = fields.iter().zip(forms).map(resolved).collect();
        Self { krate, declared }
    }
}
