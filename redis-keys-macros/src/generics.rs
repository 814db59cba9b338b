//! The generic parameters of a key's struct.

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericParam, Generics, Ident, WherePredicate, parse_quote};

use crate::input::{Input, is_phantom};

/// Whether types or constants are left open: what depends on them is not known at the declaration.
pub(crate) fn is_generic(generics: &Generics) -> bool {
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

/// The item's own lifetimes as `'static`, for where they are not in scope.
pub(crate) fn erase_lifetimes(tokens: TokenStream, generics: &Generics) -> TokenStream {
    if generics.lifetimes().next().is_none() || is_generic(generics) {
        return tokens;
    }
    let mut after_tick = false;
    let erase = |token: TokenTree| {
        let lifetime = std::mem::replace(&mut after_tick, false);
        match token {
            TokenTree::Punct(punct) => {
                after_tick = punct.as_char() == '\'';
                punct.into()
            }
            TokenTree::Ident(ident) if lifetime && generics.lifetimes().any(|own| own.lifetime.ident == ident) => {
                Ident::new("static", ident.span()).into()
            }
            TokenTree::Group(group) => {
                let mut erased = Group::new(group.delimiter(), erase_lifetimes(group.stream(), generics));
                erased.set_span(group.span());
                erased.into()
            }
            token => token,
        }
    };
    tokens.into_iter().map(erase).collect::<TokenStream>()
}
