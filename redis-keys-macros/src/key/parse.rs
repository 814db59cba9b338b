//! The part of the expansion that parses a key.

use proc_macro2::{Group, Literal, TokenStream};
use quote::{ToTokens as _, quote};
use redis_keys_core::legacy::FormatTrait;
use redis_keys_schema::legacy::Legacy;
use redis_keys_schema::{Encoding, Placeholder, Template};
use redis_keys_syntax::{KeyField, is_phantom};
use syn::{GenericParam, Token, Visibility};

use super::expand::Expansion;
use crate::item::member;
use crate::tokens::parenthesized;

/// Names of types and crates that are known to be public.
#[rustfmt::skip]
const PUBLIC: [&str; 30] = [
    "u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "bool", "str", "String",
    "Box", "Arc", "Cow", "NonZero", "Uuid", "NaiveDate", "Date", "std", "core", "borrow", "sync", "uuid", "chrono",
    "time", "jiff",
];

/// Whether the field cannot be parsed from a placeholder: a digest, or a shard without a plain placeholder of the same
/// field.
fn cannot_be_parsed(placeholder: &Placeholder, template: &Template) -> bool {
    let plain = |other: &Placeholder| other.field == placeholder.field && other.shards.is_none();
    placeholder.field.is_none()
        || placeholder.encoding == Some(Encoding::Digest)
        || placeholder.shards.is_some() && !template.placeholders().any(plain)
}

/// Whether a reference lacks its lifetime, which rustc reports at the field, and would report again where the type is
/// repeated.
fn has_elided_lifetime(ty: &str) -> bool {
    ty.match_indices('&').any(|(at, _)| !ty.get(at + 1..).unwrap_or_default().trim_start().starts_with('\''))
}

/// The types that a key is parsed into, and how it is built from them.
struct Fields {
    types: Group,
    build: Group,
    /// Whether all types are certainly as public as the key.
    is_public: bool,
}

impl Expansion<'_> {
    /// The types of the parameters and how the key is built from them; and the implementation of `ReadFields`, if one
    /// of the types is less public than the key.
    pub(super) fn fields(&self, allow: Option<&TokenStream>) -> (Group, Group, Option<TokenStream>) {
        let read = match self.declaration.legacy.as_ref().filter(|legacy| legacy.in_use) {
            Some(legacy) => self.legacy_fields(legacy),
            None => self.template_fields(),
        };
        let Some(Fields { types, build, is_public }) = read else {
            let (types, build) = self.unparsable();
            return (types, build, None);
        };
        if is_public {
            return (types, build, None);
        }
        let krate = self.krate;
        let name = &self.input.item.ident;
        let generics = self.open_generics();
        let read = quote!(#krate::__read! { #allow #name #generics #types __fields #build });
        (parenthesized(quote!(Self)), parenthesized(quote!(__fields)), Some(read))
    }

    /// The same for the other name of a key, which is not parsed if one of the types is less public than the key.
    pub(super) fn other_fields(&self) -> (Group, Group) {
        let read = match self.declaration.legacy.as_ref().filter(|legacy| !legacy.in_use) {
            Some(legacy) => self.legacy_fields(legacy),
            None => self.template_fields(),
        };
        read.filter(|fields| fields.is_public).map_or_else(|| self.unparsable(), |fields| (fields.types, fields.build))
    }

    fn unparsable(&self) -> (Group, Group) {
        let krate = self.krate;
        (parenthesized(quote!(#krate::__private::Unparsable)), parenthesized(quote!(match __fields {})))
    }

    /// The types of the template's parameters, if the key can be parsed.
    fn template_fields(&self) -> Option<Fields> {
        let krate = self.krate;
        let lacks_lifetime = self.input.fields.iter().any(|field| has_elided_lifetime(&field.ty));
        if lacks_lifetime
            || self.template.placeholders().any(|placeholder| cannot_be_parsed(placeholder, self.template))
        {
            return None;
        }
        let (mut types, mut given) = (TokenStream::new(), TokenStream::new());
        let mut is_public = true;
        for (at, placeholder) in self.template.placeholders().enumerate() {
            let Some((field, index)) = self.field(placeholder) else { continue };
            let ty = &field.field.ty;
            match (placeholder.shards, placeholder.encoding) {
                // Checked against the field when the whole key is read.
                (Some(_), _) => types.extend([quote!(#krate::__private::Number)]),
                (None, Some(Encoding::Slug(max_bytes))) => {
                    let max_bytes = Literal::u32_unsuffixed(max_bytes.unwrap_or(u32::MAX));
                    types.extend([quote!(#krate::__private::FromSlug<#ty, #max_bytes>)]);
                }
                (None, Some(_)) => types.extend([quote!(#krate::__private::FromBase32<#ty>)]),
                (None, None) => ty.to_tokens(&mut types),
            }
            <Token![,]>::default().to_tokens(&mut types);
            if placeholder.shards.is_none() {
                let inner = placeholder.encoding.map(|_| quote!(.0));
                let (member, at) = (member(field, index), Literal::usize_unsuffixed(at));
                given.extend([quote!(#member: __fields.#at #inner,)]);
            }
            is_public &= self.is_as_public(field);
        }
        Some(self.fields_of(types, &given, is_public))
    }

    /// The types of a legacy text's fields, if the key can be parsed.
    fn legacy_fields(&self, legacy: &Legacy) -> Option<Fields> {
        let krate = self.krate;
        let (mut types, mut given) = (TokenStream::new(), TokenStream::new());
        let mut is_public = true;
        for (at, part) in legacy.fields.iter().enumerate() {
            let field = self.input.fields.get(part.field)?;
            if legacy.ambiguous || part.format.by != FormatTrait::Display || has_elided_lifetime(&field.ty) {
                return None;
            }
            let ty = &field.field.ty;
            let is_text = field.ty.starts_with('&') || field.ty.contains("Cow<") || field.ty.ends_with("<str>");
            let from = if is_text { quote!(FromLegacyText) } else { quote!(FromLegacy) };
            types.extend(quote!(#krate::__private::#from<#ty>,));
            let is_first = legacy.fields.iter().position(|other| other.field == part.field) == Some(at);
            if is_first {
                let (member, at) = (member(field, part.field), Literal::usize_unsuffixed(at));
                given.extend(quote!(#member: __fields.#at.0,));
            }
            is_public &= self.is_as_public(field);
        }
        Some(self.fields_of(types, &given, is_public))
    }

    fn fields_of(&self, types: TokenStream, given: &TokenStream, is_public: bool) -> Fields {
        let krate = self.krate;
        let phantoms = self.input.fields.iter().enumerate().filter(|(_, field)| is_phantom(&field.field.ty));
        let phantoms = phantoms.map(|(index, field)| member(field, index));
        let build = quote!(Self { #given #(#phantoms: #krate::__private::PhantomData,)* });
        Fields {
            types: parenthesized(parenthesized(types).into_token_stream()),
            build: parenthesized(build),
            is_public,
        }
    }

    /// Whether a field's type is certainly as public as the key.
    fn is_as_public(&self, field: &KeyField<'_>) -> bool {
        match (&self.input.item.vis, &field.field.vis) {
            (Visibility::Inherited, _) | (Visibility::Public(_), Visibility::Public(_)) => true,
            (Visibility::Restricted(key), Visibility::Restricted(field))
                if key.path.get_ident().is_some() && key.path.get_ident() == field.path.get_ident() =>
            {
                true
            }
            _ => self.names_public(&field.ty),
        }
    }

    /// Whether all names in a type are certainly public.
    fn names_public(&self, ty: &str) -> bool {
        let is_parameter = |word: &str| {
            self.input.item.generics.params.iter().any(|param| match param {
                GenericParam::Type(param) => param.ident == word,
                GenericParam::Const(param) => param.ident == word,
                GenericParam::Lifetime(param) => param.lifetime.ident == word,
            })
        };
        let mut words = ty.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        words.all(|word| {
            PUBLIC.contains(&word)
                || word == "static"
                || word.starts_with(|c: char| c.is_ascii_digit())
                || is_parameter(word)
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
