//! The expansion of an invalid record besides its errors: an implementation and constants that let the rest of the
//! crate type-check.

use proc_macro2::TokenStream;
use quote::quote;
use redis_keys_schema::{Diagnostic, Place, RecordField};
use redis_keys_syntax::{Input, Tokens};

use super::Forms;
use super::expand::{StoredField, generics};

pub(crate) fn expand(
    input: &Input<'_>,
    read: &[RecordField],
    forms: &Forms,
    diagnostics: &[Diagnostic],
) -> TokenStream {
    let krate = &forms.krate;
    let name = &input.item.ident;
    let fields = StoredField::all(input, read, forms);
    let is_invalid = |field: &StoredField<'_>| {
        diagnostics.iter().any(|diagnostic| field_of(&diagnostic.place) == Some(field.number))
    };
    let (invalid, valid): (Vec<_>, Vec<_>) = fields.into_iter().partition(is_invalid);
    let generics = generics(input, krate, &valid).unwrap_or_else(|| input.item.generics.clone());
    let (params, arguments, bounds) = generics.split_for_impl();
    // rustc reports the types that cannot be stored.
    let checks = valid.iter().map(|field| field.write(krate));
    let constants = constants(krate, &valid, &invalid);
    quote! {
        #[automatically_derived]
        impl #params #krate::RedisHash for #name #arguments #bounds {
            const FIELDS: &'static [#krate::types::record::RecordField] = &[];

            fn write_record(&self, __fields: &mut #krate::__private::RecordWriter<'_>) { #(#checks)* }

            fn read_record(__fields: &mut #krate::__private::RecordReader<'_>) -> #krate::__private::RecordResult<Self> {
                __fields.invalid()
            }
        }

        #[allow(dead_code, missing_docs)]
        impl #params #name #arguments #bounds { #constants }
    }
}

/// The constants of the fields, each once.
fn constants(krate: &Tokens, valid: &[StoredField<'_>], invalid: &[StoredField<'_>]) -> TokenStream {
    let mut names: Vec<&str> = Vec::new();
    let mut constants = TokenStream::new();
    // Next to a `compile_error!`, rustc does not report an unresolved path or its uses.
    let unknown = |field: &StoredField<'_>| {
        let marker = field.marker(krate);
        quote!(__FormIsMissing #marker)
    };
    let valid = valid.iter().map(|field| (field, field.constant_type(krate)));
    for (field, ty) in valid.chain(invalid.iter().map(|field| (field, unknown(field)))) {
        if names.contains(&field.read.constant.as_str()) {
            continue;
        }
        names.push(&field.read.constant);
        let (visibility, constant) = (&field.field.field.vis, field.constant());
        constants.extend(quote! {
            #visibility const #constant: #krate::types::record::Field<Self, #ty> = #krate::types::record::Field::at(0);
        });
    }
    constants
}

fn field_of(place: &Place) -> Option<usize> {
    match place {
        Place::Field(number)
        | Place::FieldType(number)
        | Place::FieldAttribute(number, ..)
        | Place::WholeFieldAttribute(number, _) => Some(*number),
        _ => None,
    }
}
