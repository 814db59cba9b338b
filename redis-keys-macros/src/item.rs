//! Parts of an item that an expansion needs besides its declaration: its place, levels of warnings, names of fields,
//! and generic parameters.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use redis_keys_schema::feature_of_parameter;
use redis_keys_syntax::{Input, KeyField, MAX_NESTING, Tokens, is_phantom, mentions_parameter, too_deep};
use syn::{DeriveInput, Generics, Meta, WherePredicate, parse_quote};

/// Parses an item, or returns the error.
pub(crate) fn parse(item: TokenStream) -> Result<DeriveInput, TokenStream> {
    if let Some(place) = too_deep(&item) {
        let message = format!(
            "type nested more than {MAX_NESTING} levels deep\nhelp: give a type inside a name, as in `type Inner = …`"
        );
        return Err(syn::Error::new(place, message).into_compile_error());
    }
    syn::parse2(item).map_err(syn::Error::into_compile_error)
}

/// Name, file, line and column, which identify an item.
pub(crate) fn identity(name: &syn::Ident) -> String {
    match position(name.span()) {
        Some((file, line, column)) => format!("{name} {file}:{line}:{column}"),
        None => name.to_string(),
    }
}

/// The file, line and column of a token. `None` outside of a compiler, as in the tests of this crate.
pub(crate) fn position(span: Span) -> Option<(String, usize, usize)> {
    // `unwrap` converts to the compiler's span, which is available.
    let span = proc_macro::is_available().then(|| span.unwrap())?;
    Some((span.file(), span.line(), span.column()))
}

/// Whether the item, a field or a variant is deprecated, or allows the use of deprecated items.
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

/// The feature that a field's type probably needs as a parameter: a module of `__private` with a trait for the error.
pub(crate) fn feature(field: &KeyField<'_>) -> Option<Ident> {
    feature_of_parameter(&field.ty).map(|feature| Ident::new(feature, Span::call_site()))
}

/// A field's name or index, to access it.
pub(crate) fn member(field: &KeyField<'_>, index: usize) -> TokenStream {
    match &field.field.ident {
        Some(ident) => ident.to_token_stream(),
        None => {
            syn::Index { index: u32::try_from(index).unwrap_or(u32::MAX), span: Span::mixed_site() }.to_token_stream()
        }
    }
}

/// Adds the bound `KeySegment` for each field with a generic type.
pub(crate) fn bind_fields(input: &Input<'_>, krate: &Tokens, generics: &mut Generics) {
    for field in &input.fields {
        let ty = &field.field.ty;
        if mentions_parameter(&input.item.generics, ty) && !is_phantom(ty) {
            add_bound(generics, parse_quote!(#ty: #krate::KeySegment));
        }
    }
}

pub(crate) fn add_bound(generics: &mut Generics, bound: WherePredicate) {
    generics.make_where_clause().predicates.push(bound);
}

/// The parameters with the lifetime `'__k` of the text that a key is parsed from.
pub(crate) fn with_key_lifetime(generics: &Generics) -> Generics {
    let mut generics = generics.clone();
    generics.params.insert(0, parse_quote!('__k));
    generics
}
