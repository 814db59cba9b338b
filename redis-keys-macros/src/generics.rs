//! The generic parameters of an item.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericParam, Generics, Ident, WherePredicate, parse_quote};

use crate::input::{Input, is_phantom};
use crate::rendered::Tokens;

/// Whether there are type or const parameters.
fn is_generic(generics: &Generics) -> bool {
    generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)))
}

/// Adds the bound `KeySegment` for each field with a generic type.
pub(crate) fn bind_fields(input: &Input<'_>, krate: &Tokens, generics: &mut Generics) {
    if !is_generic(generics) {
        return;
    }
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

/// Whether tokens name a type parameter.
pub(crate) fn mentions_parameter(generics: &Generics, tokens: &impl ToTokens) -> bool {
    is_generic(generics)
        && mentions(tokens.to_token_stream(), &|ident| generics.type_params().any(|param| param.ident == *ident))
}

/// Whether tokens name a type or const parameter.
pub(crate) fn mentions_any(generics: &Generics, tokens: &impl ToTokens) -> bool {
    let is_const = |ident: &Ident| generics.const_params().any(|param| param.ident == *ident);
    mentions_parameter(generics, tokens) || is_generic(generics) && mentions(tokens.to_token_stream(), &is_const)
}

fn mentions(tokens: TokenStream, is_parameter: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_parameter(&ident),
        TokenTree::Group(group) => mentions(group.stream(), is_parameter),
        _ => false,
    })
}
