//! Random attributes: no panic, an expansion that is Rust, and an error if a rule is broken.

use proc_macro2::TokenStream;
use proptest::prelude::*;
use proptest::sample::select;
use quote::quote;
use redis_keys_syntax::read_segment;

use super::key_segment;
use crate::tests::{GENERICS, TYPES, has_error, lexed, random_tokens};

#[rustfmt::skip]
const OPTIONS: [&str; 12] = [
    "rename = \"info\"", "rename = basic.info", "rename = \"\"", "rename = \"basic info\"", "rename", "name = x", "digest",
    "crate = ::keys", "crate = 5", "r#rename = x", "rename = x, rename = y", ", rename = x",
];

fn attribute() -> impl Strategy<Value = TokenStream> {
    let arguments = prop_oneof![4 => select(&OPTIONS[..]).prop_map(lexed), 1 => random_tokens()];
    (arguments, 0..10).prop_map(|(arguments, form)| match form {
        0 => quote!(#[redis_key = #arguments]),
        1 => quote!(#[redis_key]),
        2 => quote!(#[redis_key(#arguments)] #[redis_key(rename = x)]),
        3..7 => TokenStream::new(),
        _ => quote!(#[redis_key(#arguments)]),
    })
}

fn item() -> impl Strategy<Value = TokenStream> {
    let types = || select(&TYPES[..]).prop_map(lexed);
    let parts = (attribute(), attribute(), attribute(), select(&GENERICS[..]), types(), types(), 0..9);
    parts.prop_map(|(of_item, first, second, generics, one, two, shape)| {
        let generics = lexed(generics);
        match shape {
            0 => quote!(#of_item struct Case #generics;),
            1 => quote!(#of_item struct Case #generics (#first #one, pub #second #two);),
            2 => quote!(#of_item pub enum Case #generics { One, #first Two { id: #one } }),
            3 => quote!(#of_item union Case #generics { #first id: #one, page: #two }),
            4 => quote!(#of_item struct Case #generics (#first #one);),
            5 => quote!(#of_item struct r#fn #generics where #one: Copy { #first r#type: #two }),
            6 => quote!(#of_item enum Case #generics {}),
            _ => quote!(#of_item pub enum Case #generics { #first One, #second Two(), r#type = 7 }),
        }
    })
}

/// Whether an item breaks a rule. `None` if it is not an item.
fn is_invalid(tokens: TokenStream) -> Option<bool> {
    let item = syn::parse2(tokens).ok()?;
    Some(!read_segment(&item).diagnostics.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tokens_expand_to_rust(item in item()) {
        let output = key_segment(item.clone());
        let read = syn::parse2::<syn::File>(output.clone());
        prop_assert!(read.is_ok(), "{item}\n{:?}\n{output}", read.err());
        prop_assert_eq!(has_error(&output), is_invalid(item.clone()).unwrap_or(true), "{}\n{}", item, output);
        prop_assert!(has_error(&output) || output.to_string().contains("KeySegment for"), "{item}\n{output}");
    }
}

/// The random tokens can also be valid.
#[test]
fn valid_items_have_no_error() {
    for item in [
        "#[redis_key(crate = ::keys)] enum Case { One, #[redis_key(rename = \"three\")] Two {}, r#type = 7 }",
        "#[redis_key(crate = ::keys)] struct Case<'a, T: Iterator>(PhantomData<&'a T>, Cow<'a, T::Item>);",
        "#[redis_key(crate = ::keys)] pub struct Case { r#type: u64 }",
    ] {
        let output = key_segment(lexed(item));
        assert!(!has_error(&output) && syn::parse2::<syn::File>(output.clone()).is_ok(), "{output}");
        // All paths start with the given crate.
        assert!(!output.to_string().contains(":: redis_keys"), "{output}");
    }
}

#[test]
fn all_errors_of_an_item_are_reported() {
    let output = key_segment(lexed(
        "#[redis_key(crat = ::keys)]
         enum Case { One(u64), #[redis_key(rename = \"Two\")] Two, #[redis_key(renam = \"x\")] Three, FooBar, Foo_Bar }",
    ));
    assert_eq!(output.to_string().matches("compile_error").count(), 5, "{output}");
}
