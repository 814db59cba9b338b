//! Tokens that depend on generic parameters.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use redis_keys_schema::overlap::Pattern;
use syn::{GenericParam, Generics, Ident};

use crate::input::{Input, KeyField};

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

/// Whether tokens name a type, const or lifetime parameter.
pub fn mentions_generics(generics: &Generics, tokens: &impl ToTokens) -> bool {
    let is_lifetime = |ident: &Ident| generics.lifetimes().any(|param| param.lifetime.ident == *ident);
    mentions_any(generics, tokens) || is_generic(generics) && mentions(tokens.to_token_stream(), &is_lifetime)
}

/// The fields of the parameters in `pattern.typed`, in order. `None` for a generic one, which can be any type.
pub fn typed_fields<'r>(input: &'r Input<'_>, pattern: &'r Pattern) -> impl Iterator<Item = Option<&'r KeyField<'r>>> {
    pattern.typed.iter().map(|typed| {
        let field = input.fields.get(typed.field)?;
        (!mentions_any(&input.item.generics, &field.field.ty)).then_some(field)
    })
}

fn mentions(tokens: TokenStream, is_parameter: &dyn Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => is_parameter(&ident),
        TokenTree::Group(group) => mentions(group.stream(), is_parameter),
        _ => false,
    })
}
