//! Tokens that depend on generic parameters.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericParam, Generics, Ident};

/// Whether there are type or const parameters.
fn is_generic(generics: &Generics) -> bool {
    generics.params.iter().any(|param| !matches!(param, GenericParam::Lifetime(_)))
}

/// Whether tokens name a type parameter.
pub fn mentions_parameter(generics: &Generics, tokens: &impl ToTokens) -> bool {
    is_generic(generics)
        && mentions(tokens.to_token_stream(), &|ident| generics.type_params().any(|param| param.ident == *ident))
}

/// Whether tokens name a type or const parameter.
pub fn mentions_any(generics: &Generics, tokens: &impl ToTokens) -> bool {
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
