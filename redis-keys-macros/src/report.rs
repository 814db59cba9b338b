//! Diagnostics as compile errors that underline the tokens at fault.

use proc_macro2::TokenStream;
use quote::ToTokens;
use redis_keys_schema::{Diagnostic, Place};

use crate::input::{Input, KeyAttribute};

/// One `compile_error!` for each diagnostic.
pub(crate) fn compile_errors(input: &Input<'_>, diagnostics: Vec<Diagnostic>) -> TokenStream {
    diagnostics.into_iter().map(|diagnostic| compile_error(input, diagnostic)).collect()
}

/// The fields whose types are told to be no parameters.
pub(crate) fn refused_fields(diagnostics: &[Diagnostic]) -> Vec<usize> {
    let field = |diagnostic: &Diagnostic| match diagnostic.place {
        Place::FieldType(number) => Some(number),
        _ => None,
    };
    diagnostics.iter().filter_map(field).collect()
}

fn compile_error(input: &Input<'_>, diagnostic: Diagnostic) -> TokenStream {
    let place = match &diagnostic.place {
        Place::Attribute(range) => input.attributes.first().map(|attribute| (attribute, range.clone())),
        Place::FieldAttribute(field, number, range) => {
            input.field_attribute(*field, *number).map(|attribute| (attribute, range.clone()))
        }
        _ => None,
    };
    let Some((attribute, range)) = place else {
        return syn::Error::new_spanned(whole(input, &diagnostic.place), diagnostic).into_compile_error();
    };
    let tokens = attribute.rendered.run(&range).unwrap_or_else(|| whole_attribute(attribute));
    let diagnostic = match attribute.rendered.literal_around(&range) {
        Some(literal) => diagnostic.drawn(&attribute.rendered.text, literal),
        None => diagnostic,
    };
    syn::Error::new_spanned(tokens, diagnostic).into_compile_error()
}

/// The tokens of a place that is no range of an attribute's text.
fn whole(input: &Input<'_>, place: &Place) -> TokenStream {
    let tokens = match place {
        Place::WholeAttribute(number) => input.attributes.get(*number).map(whole_attribute),
        Place::WholeFieldAttribute(field, number) => input.field_attribute(*field, *number).map(whole_attribute),
        Place::Field(number) => input.fields.get(*number).map(|field| match &field.field.ident {
            Some(ident) => ident.to_token_stream(),
            None => field.field.ty.to_token_stream(),
        }),
        Place::Lifetime(number) => {
            input.item.generics.lifetimes().nth(*number).map(|parameter| parameter.lifetime.to_token_stream())
        }
        Place::FieldType(number) => input.fields.get(*number).map(|field| field.field.ty.to_token_stream()),
        _ => None,
    };
    tokens.unwrap_or_else(|| input.item.ident.to_token_stream())
}

/// `redis_key(…)` without the brackets around it.
fn whole_attribute(attribute: &KeyAttribute<'_>) -> TokenStream {
    attribute.attribute.meta.to_token_stream()
}
