//! Random attributes: no panic, an expansion that is Rust, and an error if a rule is broken.

use proc_macro2::TokenStream;
use proptest::prelude::*;
use proptest::sample::select;
use quote::quote;
use redis_keys_syntax::read_record;

use super::redis_hash;
use crate::tests::{GENERICS, TYPES, has_error, lexed, random_tokens};

#[rustfmt::skip]
const OPTIONS: [&str; 24] = [
    "default", "rename = \"mail\"", "rename = mail", "rename = \"\"", "rename = \"e mail\"", "value = Json<P>",
    "value = \"Json<P\"", "value = 5", "value = Zstd<", "value = T", "ttl = 10m", "ttl = \"10m\"", "ttl = never",
    "ttl = 600", "skip", "flatten", "with = \"x\"", "rename_all = \"camelCase\"", "crate = ::keys", "crate = 5",
    "r#default", "default, default", "default rename = x", ", default",
];

fn arguments() -> impl Strategy<Value = TokenStream> {
    prop_oneof![
        4 => select(&OPTIONS[..]).prop_map(lexed),
        1 => random_tokens(),
        1 => (select(&OPTIONS[..]), random_tokens()).prop_map(|(option, random_tokens)| {
            let option = lexed(option);
            quote!(#option, #random_tokens)
        }),
    ]
}

fn attribute() -> impl Strategy<Value = TokenStream> {
    (arguments(), 0..12).prop_map(|(arguments, form)| match form {
        0 => quote!(#[redis_hash = #arguments]),
        1 => quote!(#[redis_hash]),
        2 => quote!(#[redis_hash(#arguments)] #[redis_hash(default)]),
        3 => quote!(#[serde(#arguments)] #[redis_key(#arguments)]),
        4..8 => TokenStream::new(),
        _ => quote!(#[redis_hash(#arguments)]),
    })
}

fn item() -> impl Strategy<Value = TokenStream> {
    let types = || {
        prop_oneof![
            select(&TYPES[..]).prop_map(str::to_owned),
            select(&TYPES[..]).prop_map(|ty| format!("Option<{ty}>"))
        ]
    };
    let parts = (attribute(), attribute(), attribute(), select(&GENERICS[..]), types(), types(), 0..12);
    parts.prop_map(|(of_item, first, second, generics, one, two, shape)| {
        let [generics, one, two] = [generics, &one, &two].map(lexed);
        match shape {
            0 => quote!(#of_item struct Case #generics;),
            1 => quote!(#of_item struct Case #generics (#first #one, pub #second #two);),
            2 => quote!(#of_item pub enum Case #generics { One, #first Two { id: #one } }),
            3 => quote!(#of_item union Case #generics { #first id: #one, page: #two }),
            4 => quote!(#of_item struct Case #generics { #first aB: #one, #second a_b: #two }),
            5 => quote!(#of_item struct r#fn #generics where #one: Copy { #first r#type: #two }),
            6 => quote!(#of_item struct Case #generics {}),
            _ => quote!(#of_item pub struct Case #generics { id: u64, #first pub(crate) first: #one, #second pub second: #two }),
        }
    })
}

/// Whether an item breaks a rule. `None` if it is not an item.
fn is_invalid(tokens: TokenStream) -> Option<bool> {
    let item = syn::parse2(tokens).ok()?;
    Some(!read_record(&item, &redis_keys_schema::Policy::default()).diagnostics.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tokens_expand_to_rust(item in item()) {
        let output = redis_hash(item.clone());
        let read = syn::parse2::<syn::File>(output.clone());
        prop_assert!(read.is_ok(), "{item}\n{:?}\n{output}", read.err());
        prop_assert_eq!(has_error(&output), is_invalid(item.clone()).unwrap_or(true), "{}\n{}", item, output);
        prop_assert!(has_error(&output) || output.to_string().contains("__record !"), "{item}\n{output}");
    }

    #[test]
    fn tokens_that_are_not_an_item_are_an_error(tokens in random_tokens()) {
        let output = redis_hash(tokens.clone());
        prop_assert!(syn::parse2::<syn::File>(output.clone()).is_ok());
        prop_assert!(is_invalid(tokens).is_some() || has_error(&output));
    }
}

/// The random tokens can also be valid.
#[test]
fn a_valid_item_has_no_error() {
    let output = redis_hash(lexed(
        "#[redis_hash(crate = ::keys)]
         struct Case<T> {
             #[redis_hash(value = Json<Vec<T>>, rename = \"all\")] many: Option<Vec<T>>,
             #[redis_hash(ttl = 10m, default)] r#type: u8,
             id: T,
             of: PhantomData<T>,
         }",
    ));
    assert!(!has_error(&output) && syn::parse2::<syn::File>(output.clone()).is_ok(), "{output}");
    // All paths start with the given crate.
    assert!(!output.to_string().contains(":: redis_keys"), "{output}");
}

#[test]
fn all_errors_of_an_item_are_reported() {
    let output = redis_hash(lexed(
        "#[redis_hash(crat = ::keys)]
         struct Case<'a> {
             #[redis_hash(value = 5, renam = \"x\")] first: u8,
             #[redis_hash(ttl = 3600)] second: &'a str,
             aB: Option<Option<u8>>,
             a_b: Json<P>,
         }",
    ));
    assert_eq!(output.to_string().matches("compile_error").count(), 9, "{output}");
}
