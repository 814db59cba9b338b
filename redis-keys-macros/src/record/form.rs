//! The types of a record's fields, and the types of their stored forms.

use proc_macro2::TokenStream;
use quote::ToTokens;
use redis_keys_schema::{Diagnostic, Place, Presence, Record};

use crate::code::{default_crate, parsed, with_our_forms};
use crate::input::{Input, KeyField};

/// What of the attributes is Rust: the crate's path and the types of stored forms.
pub(crate) struct Forms {
    /// Where redis-keys lives.
    pub(crate) krate: TokenStream,
    /// For each field its declared form, with the names of our own forms meaning ours, and how it is written.
    pub(crate) declared: Vec<Option<(TokenStream, String)>>,
}

impl Forms {
    /// Reads them. What is no type or no path is reported.
    pub(crate) fn read(input: &Input<'_>, record: &Record, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let first = input.attributes.first();
        let given = record.crate_path.as_ref().zip(first).map(|(range, attribute)| {
            let path = parsed::<syn::Path>(&attribute.rendered, range);
            if path.is_none() {
                diagnostics.push(Diagnostic::no_path(range.clone(), attribute.rendered.text_at(range)));
            }
            path
        });
        let krate = given.flatten().unwrap_or_else(default_crate);
        let fields = record.fields.iter().enumerate().map(|(number, field)| {
            let (attribute, form) = field.value.as_ref()?;
            let text = &input.field_attribute(number, *attribute)?.rendered;
            let Some(tokens) = parsed::<syn::Type>(text, &form.range) else {
                let mut diagnostic = Diagnostic::no_type(form.range.clone(), text.text_at(&form.range));
                diagnostic.place = Place::FieldAttribute(number, *attribute, form.range.clone());
                diagnostics.push(diagnostic);
                return None;
            };
            Some((with_our_forms(tokens, form, &krate), text.text_at(&form.range).to_owned()))
        });
        let declared = fields.collect();
        Self { krate, declared }
    }
}

/// The type of a field's value: of an `Option` what is inside.
pub(crate) fn value_type(field: &KeyField<'_>, presence: Presence) -> TokenStream {
    let inner = if presence == Presence::Optional { argument(&field.field.ty) } else { None };
    inner.unwrap_or(&field.field.ty).to_token_stream()
}

/// The argument of the type's last name.
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
