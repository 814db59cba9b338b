//! `#[derive(RedisHash)]`.

mod expand;
mod fallback;
#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::ToTokens;
use redis_keys_schema::{Diagnostic, Diagnostics, Place, Presence, Record};

use crate::input::{Input, KeyField};
use crate::rendered::{Tokens, concat, default_crate, parsed, type_of_form};
use crate::{editor, report};

/// The implementation of a valid record, or the errors of an invalid one and a fallback.
pub(crate) fn redis_hash(item: TokenStream) -> TokenStream {
    let item = match syn::parse2(item) {
        Ok(item) => item,
        Err(error) => return error.into_compile_error(),
    };
    let input = Input::of_record(&item);
    let mut checked = redis_keys_schema::check_record(&input.record());
    let forms = Forms::read(&input, &checked.record, &mut checked.diagnostics);
    let fields = checked.record.fields;
    let editor = editor::code(|| editor::of_record(&input, &forms.krate));
    match checked.diagnostics.finish(fields.as_deref().map_err(|reported| *reported)) {
        Ok(fields) => concat([editor, expand::expand(&input, fields, &forms)]),
        Err(errors) => {
            let fallback = fallback::expand(&input, fields.as_deref().unwrap_or_default(), &forms, &errors);
            concat([editor, report::compile_errors(&input, errors), fallback])
        }
    }
}

/// The Rust code in the attributes: the path to redis-keys and the types of stored forms.
pub(crate) struct Forms {
    /// The path to redis-keys.
    pub(crate) krate: Tokens,
    /// The declared form of each field, with the names of our own forms resolved, and its text.
    pub(crate) declared: Vec<Option<(Tokens, String)>>,
}

impl Forms {
    /// Parses it. Reports what is not a type or not a path.
    pub(crate) fn read(input: &Input<'_>, record: &Record, diagnostics: &mut Diagnostics) -> Self {
        let first = input.attributes.first();
        let given = record.crate_path.as_ref().zip(first).map(|(range, attribute)| {
            let path = parsed::<syn::Path>(&attribute.rendered, range);
            if path.is_none() {
                diagnostics.push(Diagnostic::no_path(range.clone(), attribute.rendered.text_at(range)));
            }
            path
        });
        let krate = given.flatten().unwrap_or_else(default_crate);
        let fields = record.fields.iter().flatten().enumerate().map(|(number, field)| {
            let (attribute, form) = field.value.as_ref()?;
            let text = &input.field_attribute(number, *attribute)?.rendered;
            let Some(ty) = type_of_form(text, form, &krate) else {
                let mut diagnostic = Diagnostic::no_type(form.range.clone(), text.text_at(&form.range));
                diagnostic.place = Place::FieldAttribute(number, *attribute, form.range.clone());
                diagnostics.push(diagnostic);
                return None;
            };
            Some((ty, text.text_at(&form.range).to_owned()))
        });
        let declared = fields.collect();
        Self { krate, declared }
    }
}

/// The type of a field's value: the argument of an `Option`.
pub(crate) fn value_type(field: &KeyField<'_>, presence: Presence) -> TokenStream {
    let inner = if presence == Presence::Optional { argument(&field.field.ty) } else { None };
    inner.unwrap_or(&field.field.ty).to_token_stream()
}

/// The first argument of the type's last segment.
fn argument(ty: &syn::Type) -> Option<&syn::Type> {
    match ty {
        syn::Type::Group(group) => argument(&group.elem),
        syn::Type::Paren(paren) => argument(&paren.elem),
        syn::Type::Path(path) => match &path.path.segments.last()?.arguments {
            syn::PathArguments::AngleBracketed(arguments) => match arguments.args.first()? {
                syn::GenericArgument::Type(inner) => Some(inner),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
