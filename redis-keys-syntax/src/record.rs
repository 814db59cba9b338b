//! Records: items that derive `RedisHash`.

use quote::ToTokens;
use redis_keys_schema::{CheckedRecord, Diagnostics, Place, Policy, Presence, Record, Warning, check_record};
use syn::DeriveInput;

use crate::code;
use crate::input::{Input, KeyField};
use crate::tokens::Tokens;

/// A record as it was read.
pub struct ReadRecord<'i> {
    /// The item.
    pub input: Input<'i>,
    /// Its declaration, as far as it could be read.
    pub record: Record,
    /// The path to redis-keys, if it is given and parses.
    pub krate: Option<Tokens>,
    /// The stored form of each field, where it is given and parses.
    pub forms: Vec<Option<FieldForm>>,
    /// The errors, which `finish` sorts. Without any the declaration is complete.
    pub diagnostics: Diagnostics,
    /// The warnings of the lints.
    pub warnings: Vec<Warning>,
}

/// The stored form that a field of a record declares.
pub struct FieldForm {
    /// Its type.
    pub tokens: Tokens,
    /// Its text.
    pub text: String,
}

/// Reads an item that derives `RedisHash`, and checks it under a policy.
pub fn read_record<'i>(item: &'i DeriveInput, policy: &Policy) -> ReadRecord<'i> {
    let input = Input::of_record(item);
    let CheckedRecord { record, mut diagnostics, warnings } = check_record(&input.record(), policy);
    let krate = code::crate_path(&input, record.crate_path.as_ref(), &mut diagnostics);
    let forms = field_forms(&input, &record, &mut diagnostics);
    ReadRecord { input, record, krate, forms, diagnostics, warnings }
}

fn field_forms(input: &Input<'_>, record: &Record, diagnostics: &mut Diagnostics) -> Vec<Option<FieldForm>> {
    let fields = record.fields.iter().flatten().enumerate();
    let forms = fields.map(|(index, field)| {
        let (attribute, form) = field.value.as_ref()?;
        let rendered = &input.field_attribute(index, *attribute)?.rendered;
        match code::form(rendered, form) {
            Ok(tokens) => Some(FieldForm { tokens, text: rendered.text_at(&form.range).to_owned() }),
            Err(mut diagnostic) => {
                diagnostic.place = Place::FieldAttribute(index, *attribute, form.range.clone());
                diagnostics.push(diagnostic);
                None
            }
        }
    });
    forms.collect()
}

/// The type of a field's value: the argument of an `Option`.
pub fn value_type(field: &KeyField<'_>, presence: Presence) -> Tokens {
    let inner = if presence == Presence::Optional { argument(&field.field.ty) } else { None };
    inner.unwrap_or(&field.field.ty).to_token_stream().into_iter().collect()
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
