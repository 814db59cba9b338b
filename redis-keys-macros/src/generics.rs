//! The generic parameters of an item.

use redis_keys_syntax::{Input, Tokens, is_phantom, mentions_parameter};
use syn::{Generics, WherePredicate, parse_quote};

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
