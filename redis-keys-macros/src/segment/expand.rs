//! What a right parameter type becomes.

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use redis_keys_schema::Segment;
use syn::parse_quote;

use crate::generics::{add_bound, mentions_parameter};
use crate::input::Input;

pub(crate) fn expand(input: &Input<'_>, segment: &Segment, krate: &TokenStream) -> TokenStream {
    match segment.field {
        Some(number) => newtype(input, number, krate),
        None => names(input, segment, krate),
    }
}

/// An enum: each variant prints its name.
fn names(input: &Input<'_>, segment: &Segment, krate: &TokenStream) -> TokenStream {
    let name = &input.item.ident;
    let (params, arguments, bounds) = input.item.generics.split_for_impl();
    let allow = input.is_deprecated().then(|| quote!(#[allow(deprecated)]));
    let (longest, dotted) = (Literal::usize_unsuffixed(segment.longest()), segment.is_dotted());
    let arms = input.variants.iter().zip(&segment.names).map(|(variant, name)| {
        let (variant, text) = (&variant.variant.ident, &name.text);
        quote!(Self::#variant { .. } => #text,)
    });
    quote! {
        #[automatically_derived]
        #allow
        impl #params #krate::KeySegment for #name #arguments #bounds {
            const LONGEST: ::core::option::Option<usize> = ::core::option::Option::Some(#longest);
            const DOTTED: bool = #dotted;

            fn write(&self, __out: &mut #krate::SegmentWriter<'_>) {
                __out.text(match self { #(#arms)* });
            }
        }
    }
}

/// A struct around one value: it prints what that prints.
fn newtype(input: &Input<'_>, number: usize, krate: &TokenStream) -> TokenStream {
    let Some(field) = input.fields.get(number) else { return TokenStream::new() };
    let (member, ty) = (field.member(number), &field.field.ty);
    let name = &input.item.ident;
    let allow = input.is_deprecated().then(|| quote!(#[allow(deprecated)]));
    let mut generics = input.item.generics.clone();
    if mentions_parameter(&input.item.generics, &ty.to_token_stream()) {
        add_bound(&mut generics, parse_quote!(#ty: #krate::KeySegment));
    }
    let (params, arguments, bounds) = generics.split_for_impl();
    let segment = quote!(<#ty as #krate::KeySegment>);
    quote! {
        #[automatically_derived]
        #allow
        impl #params #krate::KeySegment for #name #arguments #bounds {
            const LONGEST: ::core::option::Option<usize> = #segment::LONGEST;
            const DOTTED: bool = #segment::DOTTED;

            #[inline]
            fn write(&self, __out: &mut #krate::SegmentWriter<'_>) {
                #segment::write(&self.#member, __out);
            }
        }

        #[automatically_derived]
        #allow
        impl #params #krate::__private::Newtype for #name #arguments #bounds {
            type Inner = #ty;

            #[inline]
            fn inner(&self) -> &Self::Inner {
                &self.#member
            }
        }
    }
}
