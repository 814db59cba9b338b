//! The expansion of a valid parameter type, and the fallback of an invalid one.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use redis_keys_schema::{Names, Segment};
use redis_keys_syntax::{Input, Tokens, is_phantom, mentions_parameter};
use syn::{Type, parse_quote};

use crate::item::{add_bound, feature, is_deprecated, member, with_key_lifetime};

pub(crate) fn expand(input: &Input<'_>, segment: &Segment, krate: &Tokens) -> TokenStream {
    match segment {
        Segment::Newtype(number) => newtype(input, *number, krate),
        Segment::Names(segment) => names(input, segment, krate),
    }
}

/// An enum, whose variants render as their names.
fn names(input: &Input<'_>, segment: &Names, krate: &Tokens) -> TokenStream {
    let name = &input.item.ident;
    let (params, arguments, bounds) = input.item.generics.split_for_impl();
    let allow = is_deprecated(input).then(|| quote!(#[allow(deprecated)]));
    let (longest, dotted) = (Literal::usize_unsuffixed(segment.longest()), segment.is_dotted());
    let texts = segment.variants.iter().map(|name| &name.text);
    let values = quote!(OneOf(&[#(#texts),*]));
    let arms = input.variants.iter().zip(&segment.variants).map(|(variant, name)| {
        let (variant, text) = (&variant.variant.ident, &name.text);
        quote!(Self::#variant { .. } => #text,)
    });
    let texts = input.variants.iter().zip(&segment.variants).map(|(variant, name)| {
        let (variant, text) = (&variant.variant.ident, &name.text);
        quote!(#text => ::core::result::Result::Ok(Self::#variant {}),)
    });
    let parse = with_key_lifetime(&input.item.generics);
    let (parse_params, _, _) = parse.split_for_impl();
    quote! {
        #[automatically_derived]
        #allow
        impl #params #krate::KeySegment for #name #arguments #bounds {
            const LONGEST: ::core::option::Option<::core::primitive::usize> = ::core::option::Option::Some(#longest);
            const DOTTED: ::core::primitive::bool = #dotted;
            const VALUES: #krate::parameter::ValueSet = #krate::parameter::ValueSet::#values;

            fn write(&self, __out: &mut #krate::parameter::SegmentWriter<'_>) {
                __out.text(match self { #(#arms)* });
            }
        }

        #[automatically_derived]
        #allow
        impl #parse_params #krate::parameter::ParseSegment<'__k> for #name #arguments #bounds {
            fn parse(__text: &'__k ::core::primitive::str) -> #krate::__private::ParseResult<Self> {
                match __text {
                    #(#texts)*
                    _ => ::core::result::Result::Err("is not one of the known names"),
                }
            }
        }

        #krate::__stored_as_parameter!(#allow [#params] #name #arguments [#bounds]);
    }
}

/// A struct around one value, which renders as that value.
fn newtype(input: &Input<'_>, number: usize, krate: &Tokens) -> TokenStream {
    let Some(field) = input.fields.get(number) else { return TokenStream::new() };
    let (own, ty) = (member(field, number), &field.field.ty);
    let name = &input.item.ident;
    let allow = is_deprecated(input).then(|| quote!(#[allow(deprecated)]));
    let is_open = mentions_parameter(&input.item.generics, ty);
    let mut generics = input.item.generics.clone();
    if is_open {
        add_bound(&mut generics, parse_quote!(#ty: #krate::KeySegment));
    }
    let mut sized = generics.clone();
    if is_open {
        // `T` can be `?Sized`.
        add_bound(&mut sized, parse_quote!(#ty: ::core::marker::Sized));
    }
    let mut parse = with_key_lifetime(&generics);
    add_bound(&mut parse, parse_quote!(#ty: #krate::parameter::ParseSegment<'__k>));
    let phantoms = input.fields.iter().enumerate().filter(|(_, field)| is_phantom(&field.field.ty));
    let phantoms = phantoms.map(|(number, field)| member(field, number));
    let built = quote!(Self { #own: __inner, #(#phantoms: #krate::__private::PhantomData,)* });
    let (_, _, sized_bounds) = sized.split_for_impl();
    let (params, arguments, bounds) = generics.split_for_impl();
    let feature = feature(field).map(|feature| quote!(__private::#feature::));
    let segment = quote!(<#ty as #krate::#feature KeySegment>);
    let (parse_params, _, parse_bounds) = parse.split_for_impl();
    // An unsized type cannot be returned.
    let parse = (!is_unsized(ty)).then(|| {
        quote! {
            #[automatically_derived]
            #allow
            impl #parse_params #krate::parameter::ParseSegment<'__k> for #name #arguments #parse_bounds {
                fn parse(__text: &'__k ::core::primitive::str) -> #krate::__private::ParseResult<Self> {
                    match <#ty as #krate::parameter::ParseSegment<'__k>>::parse(__text) {
                        ::core::result::Result::Ok(__inner) => ::core::result::Result::Ok(#built),
                        ::core::result::Result::Err(__why) => ::core::result::Result::Err(__why),
                    }
                }
            }

            #[automatically_derived]
            #allow
            impl #params #krate::__private::FromInner for #name #arguments #sized_bounds {
                #[inline]
                fn from_inner(__inner: #ty) -> Self {
                    #built
                }
            }
        }
    });
    quote! {
        #parse

        #[automatically_derived]
        #allow
        impl #params #krate::KeySegment for #name #arguments #bounds {
            const LONGEST: ::core::option::Option<::core::primitive::usize> = #segment::LONGEST;
            const DOTTED: ::core::primitive::bool = #segment::DOTTED;
            const VALUES: #krate::parameter::ValueSet = #segment::VALUES;

            #[inline]
            fn write(&self, __out: &mut #krate::parameter::SegmentWriter<'_>) {
                #segment::write(&self.#own, __out);
            }
        }

        #[automatically_derived]
        #allow
        impl #params #krate::__private::Newtype for #name #arguments #bounds {
            type Inner = #ty;

            #[inline]
            fn inner(&self) -> &Self::Inner {
                &self.#own
            }
        }
    }
}

fn is_unsized(ty: &Type) -> bool {
    match ty {
        Type::Slice(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "str"),
        _ => false,
    }
}

/// An implementation besides the errors that lets keys with the parameter type type-check.
pub(super) fn fallback(input: &Input<'_>, krate: &Tokens) -> TokenStream {
    let name = &input.item.ident;
    let parse = with_key_lifetime(&input.item.generics);
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
            fn parse(_: &'__k ::core::primitive::str) -> #krate::__private::ParseResult<Self> {
                ::core::result::Result::Err("")
            }
        }

        #[automatically_derived]
        impl #params #krate::__private::Newtype for #name #arguments #bounds {
            // A number supports all encodings.
            type Inner = u64;

            fn inner(&self) -> &u64 {
                &0
            }
        }
    }
}
