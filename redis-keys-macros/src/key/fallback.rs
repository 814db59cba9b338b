//! The expansion of an invalid declaration besides its errors: implementations that let the rest of the crate
//! type-check, so that no other line has an error.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use redis_keys_schema::{Declaration, Kind};
use redis_keys_syntax::{Input, Tokens, is_phantom};
use syn::Generics;

use super::types::{KeyTrait, Types};
use crate::item::{bind_fields, feature, member, with_key_lifetime};

pub(crate) fn expand(input: &Input<'_>, declaration: &Declaration, types: &Types, reported: &[usize]) -> TokenStream {
    let krate = &types.krate;
    let mut generics = input.item.generics.clone();
    bind_fields(input, krate, &mut generics);
    let (params, arguments, bounds) = generics.split_for_impl();
    let name = &input.item.ident;
    let checks = field_checks(input, krate, reported);
    let redis_key = quote! {
        #[automatically_derived]
        impl #params #krate::RedisKey for #name #arguments #bounds {
            const DECLARATION: #krate::__private::KeyLiterals = ("", "", 0, "", "", "", "", 0, 0, 0);

            fn write_key(&self, _: &mut #krate::__private::KeyWriter) -> #krate::__private::End {
                #checks
                ""
            }

            // An accessor of another type gets no answer.
            type Kind = ();
            type Fields = Self;

            fn from_fields(fields: Self) -> Self {
                fields
            }
        }
    };
    if declaration.guessed_kind() == Some(Kind::Channel) {
        return channel(input, declaration, types, krate, &checks);
    }
    if let Some(copied_key) = copied_key(input, declaration, types, krate, &checks) {
        return copied_key;
    }
    let read_fields = read_fields(input, krate, &generics);
    // Without a type all traits are implemented, and no single value fits them.
    let (kinds, unknown) = match declaration.guessed_kind() {
        Some(kind) => (vec![kind], None),
        // A channel is no key.
        None => (
            Kind::ALL.into_iter().filter(|kind| *kind != Kind::Channel).collect(),
            Some(Types { krate: krate.clone(), value: None, field: None }),
        ),
    };
    let types = unknown.as_ref().unwrap_or(types);
    let traits = kinds.into_iter().map(|kind| {
        let key_trait = KeyTrait::of(kind, &declaration.options);
        let (trait_name, types) = (key_trait.name(), key_trait.types(types));
        quote! {
            #[automatically_derived]
            impl #params #krate::__private::#trait_name for #name #arguments #bounds { #types }
        }
    });
    let options = &declaration.options;
    let has_legacy = options.legacy.is_some() || options.formerly.is_some();
    let legacy_key = has_legacy.then(|| {
        quote! {
            #[automatically_derived]
            impl #params #krate::legacy_key::LegacyKey for #name #arguments #bounds {
                fn write_other_name(&self, _: &mut #krate::__private::KeyWriter) -> #krate::__private::End {
                    ""
                }

                type OtherFields = Self;

                fn from_other_fields(fields: Self) -> Self {
                    fields
                }
            }
        }
    });
    quote!(#redis_key #read_fields #legacy_key #(#traits)*)
}

/// Implements parsing for an invalid declaration, so that its uses report no further error.
fn read_fields(input: &Input<'_>, krate: &Tokens, generics: &Generics) -> TokenStream {
    let name = &input.item.ident;
    let (_, arguments, bounds) = generics.split_for_impl();
    let parse = with_key_lifetime(generics);
    let (params, _, _) = parse.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #params #krate::__private::ReadFields<'__k> for #name #arguments #bounds {
            fn read_fields(_: &mut #krate::__private::KeyReader<'__k>) -> #krate::__private::ParsedKey<Self> {
                #krate::__private::ParsedKey::None
            }
        }
    }
}

/// The implementation for a channel.
fn channel(
    input: &Input<'_>,
    declaration: &Declaration,
    types: &Types,
    krate: &Tokens,
    checks: &TokenStream,
) -> TokenStream {
    let mut generics = input.item.generics.clone();
    bind_fields(input, krate, &mut generics);
    let (params, arguments, bounds) = generics.split_for_impl();
    let (name, types) = (&input.item.ident, KeyTrait::of(Kind::Channel, &declaration.options).types(types));
    quote! {
        #[automatically_derived]
        impl #params #krate::ChannelKey for #name #arguments #bounds {
            #types

            const DECLARATION: #krate::__private::KeyLiterals = ("", "", 0, "", "", "", "", 0, 0, 0);

            fn write_channel(&self, _: &mut #krate::__private::KeyWriter) -> #krate::__private::End {
                #checks
                ""
            }
        }
    }
}

/// The implementation for a key with copies.
fn copied_key(
    input: &Input<'_>,
    declaration: &Declaration,
    types: &Types,
    krate: &Tokens,
    checks: &TokenStream,
) -> Option<TokenStream> {
    declaration.options.copies.as_ref()?;
    let kind = declaration.guessed_kind().filter(|kind| *kind == Kind::String)?;
    let mut generics = input.item.generics.clone();
    bind_fields(input, krate, &mut generics);
    let (params, arguments, bounds) = generics.split_for_impl();
    let key_trait = KeyTrait::of(kind, &declaration.options);
    if !key_trait.has_value {
        // A key of its role cannot have copies.
        return None;
    }
    let (name, types) = (&input.item.ident, key_trait.types(types));
    Some(quote! {
        #[automatically_derived]
        impl #params #krate::types::copies::CopiedKey for #name #arguments #bounds {
            #types

            const COPIES: #krate::__private::Number = 2;
            const DECLARATION: #krate::__private::KeyLiterals = ("", "", 0, "", "", "", "", 0, 0, 0);

            fn write_copy(&self, _: #krate::__private::Number, _: &mut #krate::__private::KeyWriter) -> #krate::__private::End {
                #checks
                ""
            }
        }
    })
}

/// Uses each field's type as a parameter, so that rustc reports the types that cannot be one. Fields with a reported
/// error are left out.
fn field_checks(input: &Input<'_>, krate: &Tokens, reported: &[usize]) -> TokenStream {
    let fields = input.fields.iter().enumerate().filter(|(index, field)| {
        !is_phantom(&field.field.ty) && !reported.contains(index) && field.attributes.is_empty()
    });
    fields
        .map(|(index, field)| {
            let (member, ty) = (member(field, index), &field.field.ty);
            let feature = feature(field).map(|feature| quote!(__private::#feature::));
            quote_spanned!(Span::mixed_site()=> let _ = (<#ty as #krate::#feature KeySegment>::LONGEST, &self.#member);)
        })
        .collect()
}
