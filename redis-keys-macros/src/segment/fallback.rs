//! What a wrong parameter type becomes beside its errors: an implementation that lets the keys that have it type-check.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse_quote;

use crate::input::Input;

pub(crate) fn expand(input: &Input<'_>, krate: &TokenStream) -> TokenStream {
    let name = &input.item.ident;
    let mut parse = input.item.generics.clone();
    parse.params.insert(0, parse_quote!('__k));
    let (parse_params, _, _) = parse.split_for_impl();
    let (params, arguments, bounds) = input.item.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #params #krate::KeySegment for #name #arguments #bounds {
            const LONGEST: ::core::option::Option<usize> = ::core::option::Option::Some(0);

            fn write(&self, _: &mut #krate::parameter::SegmentWriter<'_>) {}
        }

        #[automatically_derived]
        impl #parse_params #krate::parameter::ParseSegment<'__k> for #name #arguments #bounds {
            fn parse(_: &'__k ::core::primitive::str) -> #krate::__private::Parsed<Self> {
                ::core::result::Result::Err("")
            }
        }

        #[automatically_derived]
        impl #params #krate::__private::Newtype for #name #arguments #bounds {
            // Anything can be asked of a number.
            type Inner = u64;

            fn inner(&self) -> &u64 {
                &0
            }
        }
    }
}
