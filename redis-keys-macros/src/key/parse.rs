//! The part of the expansion that parses a key.

use proc_macro2::{Literal, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use redis_keys_schema::{Encoding, Placeholder, Template};
use syn::{GenericParam, Ident, Visibility};

use super::expand::Expansion;
use crate::input::{KeyField, is_phantom};

/// Names of types and crates that are public for sure.
#[rustfmt::skip]
const PUBLIC: [&str; 30] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool", "str", "String",
    "Box", "Arc", "Cow", "NonZero", "Uuid", "NaiveDate", "Date", "std", "core", "borrow", "sync", "uuid", "chrono",
    "time", "jiff",
];

/// Whether the field cannot be parsed from a placeholder: a digest, or a shard without a plain placeholder of the same field.
fn is_one_way(placeholder: &Placeholder, template: &Template) -> bool {
    let plain = |other: &Placeholder| other.field == placeholder.field && other.shards.is_none();
    placeholder.field.is_none()
        || placeholder.encoding == Some(Encoding::Digest)
        || placeholder.shards.is_some() && !template.placeholders().any(plain)
}

impl Expansion<'_> {
    /// The types of the parameters and how the key is built from them; and the implementation of `ReadFields`, if one of the
    /// types is less public than the key.
    pub(super) fn fields(&self, allow: Option<&TokenStream>) -> (TokenStream, Option<TokenStream>) {
        let krate = self.krate;
        if self.template.placeholders().any(|placeholder| is_one_way(placeholder, self.template)) {
            return (quote!(fields (#krate::__private::OneWay) __fields (match __fields {})), None);
        }
        let parameters = self.template.placeholders();
        let parameters: Vec<_> = parameters.filter_map(|one| Some((one, self.field(one)?))).collect();
        let types = parameters.iter().map(|(placeholder, (field, _))| {
            let ty = &field.field.ty;
            match (placeholder.shards, placeholder.encoding) {
                // Checked against the field when the whole key is read.
                (Some(_), _) => quote!(#krate::__private::Number),
                (None, Some(_)) => quote!(#krate::__private::FromBase32<#ty>),
                (None, None) => ty.to_token_stream(),
            }
        });
        let types = quote!((#(#types,)*));
        let given = parameters.iter().enumerate().filter(|(_, (placeholder, _))| placeholder.shards.is_none());
        let given = given.map(|(at, (placeholder, (field, number)))| {
            let inner = placeholder.encoding.map(|_| quote!(.0));
            let (member, at) = (field.member(*number), Literal::usize_unsuffixed(at));
            quote!(#member: __fields.#at #inner,)
        });
        let phantoms = self.input.fields.iter().enumerate().filter(|(_, field)| is_phantom(&field.field.ty));
        let phantoms = phantoms.map(|(number, field)| field.member(number));
        let made = quote!(Self { #(#given)* #(#phantoms: #krate::__private::PhantomData,)* });
        if parameters.iter().all(|(_, (field, _))| self.is_as_public(field)) {
            return (quote!(fields (#types) __fields (#made)), None);
        }
        let name = &self.input.item.ident;
        let generics = self.open_generics();
        let read = quote!(#krate::__read! { #allow #name #generics (#types) __fields (#made) });
        (quote!(fields (Self) __fields (__fields)), Some(read))
    }

    /// Whether a field's type is certainly as public as the key.
    fn is_as_public(&self, field: &KeyField<'_>) -> bool {
        let (key, field) = (&self.input.item.vis, field.field);
        let tokens = |visibility: &Visibility| visibility.to_token_stream().to_string();
        matches!(key, Visibility::Inherited)
            || tokens(key) == tokens(&field.vis)
            || self.names_public(field.ty.to_token_stream())
    }

    fn names_public(&self, ty: TokenStream) -> bool {
        let own = |ident: &Ident| {
            self.input.item.generics.params.iter().any(|param| match param {
                GenericParam::Type(param) => param.ident == *ident,
                GenericParam::Const(param) => param.ident == *ident,
                GenericParam::Lifetime(param) => param.lifetime.ident == *ident,
            })
        };
        ty.into_iter().all(|token| match token {
            TokenTree::Ident(ident) => ident == "static" || PUBLIC.iter().any(|public| ident == public) || own(&ident),
            TokenTree::Group(group) => self.names_public(group.stream()),
            _ => true,
        })
    }

    /// `generics (parameters) (arguments) (bounds)`, if the struct has any, open for more of each.
    fn open_generics(&self) -> Option<TokenStream> {
        let mut generics = self.bound_generics()?;
        for param in &mut generics.params {
            match param {
                GenericParam::Type(param) => param.default = None,
                GenericParam::Const(param) => param.default = None,
                GenericParam::Lifetime(_) => {}
            }
        }
        let params = generics.params.iter();
        let bounds = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        let (_, arguments, _) = generics.split_for_impl();
        Some(quote!(generics (#(#params,)*) (#arguments) (#(#bounds,)*)))
    }
}
