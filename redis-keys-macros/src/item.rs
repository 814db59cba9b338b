//! What an expansion takes of an item besides its declaration: levels of warnings, and names of fields.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use redis_keys_schema::feature_of_parameter;
use redis_keys_syntax::{Input, KeyField};
use syn::Meta;

/// Whether the item, a field or a variant is deprecated, or allows the use of what is.
pub(crate) fn is_deprecated(input: &Input<'_>) -> bool {
    let fields = input.fields.iter().flat_map(|field| &field.field.attrs);
    let variants = input.variants.iter().flat_map(|variant| &variant.variant.attrs);
    input.item.attrs.iter().chain(fields).chain(variants).any(|attribute| {
        let allows = ["allow", "expect"].iter().any(|level| attribute.path().is_ident(level));
        attribute.path().is_ident("deprecated") || (allows && names_deprecated(attribute))
    })
}

/// The attributes that set the level of our warnings: `#[allow(deprecated)]` and the like.
pub(crate) fn levels<'i>(input: &Input<'i>) -> impl Iterator<Item = &'i syn::Attribute> {
    let level = |attribute: &&syn::Attribute| {
        ["allow", "warn", "deny"].iter().any(|level| attribute.path().is_ident(level)) && names_deprecated(attribute)
    };
    input.item.attrs.iter().filter(level)
}

/// Whether a level attribute is about `deprecated`, the only warning that a macro can cause.
fn names_deprecated(level: &syn::Attribute) -> bool {
    let Meta::List(list) = &level.meta else { return false };
    let mut tokens = list.tokens.clone().into_iter();
    tokens.any(|token| matches!(token, TokenTree::Ident(name) if name == "deprecated" || name == "warnings"))
}

/// The feature that a field's type probably needs as a parameter: a module of `__private`, with a trait that says so.
pub(crate) fn feature(field: &KeyField<'_>) -> Option<Ident> {
    feature_of_parameter(&field.ty).map(|feature| Ident::new(feature, Span::call_site()))
}

/// A field's name or number, to access it.
pub(crate) fn member(field: &KeyField<'_>, number: usize) -> TokenStream {
    match &field.field.ident {
        Some(ident) => ident.to_token_stream(),
        None => {
            syn::Index { index: u32::try_from(number).unwrap_or(u32::MAX), span: Span::mixed_site() }.to_token_stream()
        }
    }
}
