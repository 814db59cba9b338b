//! The generic parameters of a key's struct.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericParam, Generics, Ident, WherePredicate, parse_quote};

use crate::input::{Input, is_phantom};

/// Whether types or constants are left open.
fn is_generic(generics: &Generics) -> bool {
    generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)))
}

/// Asks of each field whose type is left open that it can be a parameter.
pub(crate) fn bind_fields(input: &Input<'_>, krate: &TokenStream, generics: &mut Generics) {
    if !is_generic(generics) {
        return;
    }
    for field in &input.fields {
        let ty = &field.field.ty;
        if mentions_parameter(&input.item.generics, &ty.to_token_stream()) && !is_phantom(ty) {
            add_bound(generics, parse_quote!(#ty: #krate::KeySegment));
        }
    }
}

pub(crate) fn add_bound(generics: &mut Generics, bound: WherePredicate) {
    generics.make_where_clause().predicates.push(bound);
}

/// Whether tokens name a type parameter.
pub(crate) fn mentions_parameter(generics: &Generics, tokens: &TokenStream) -> bool {
    if !is_generic(generics) {
        return false;
    }
    let named = |ident: &Ident| generics.type_params().any(|param| param.ident == *ident);
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => named(&ident),
        TokenTree::Group(group) => mentions_parameter(generics, &group.stream()),
        _ => false,
    })
}

/// Whether tokens name a parameter for a type or for a constant.
pub(crate) fn mentions_any(generics: &Generics, tokens: &TokenStream) -> bool {
    let named = |ident: &Ident| {
        generics.type_params().any(|param| param.ident == *ident)
            || generics.const_params().any(|param| param.ident == *ident)
    };
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => named(&ident),
        TokenTree::Group(group) => mentions_any(generics, &group.stream()),
        _ => false,
    })
}
