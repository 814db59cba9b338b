//! Random attributes: no panic, an expansion that is Rust, and an error if a rule is broken.

use proc_macro2::{Delimiter, Group, TokenStream};
use proptest::prelude::*;
use proptest::sample::select;
use quote::quote;
use redis_keys_schema::Policy;
use redis_keys_syntax::read_key;

use super::{expand, redis_key};
use crate::tests::{GENERICS, TYPES, has_error, lexed, random_tokens};

/// Random tokens alone, or in place of a part of a valid declaration.
fn arguments() -> impl Strategy<Value = TokenStream> {
    (random_tokens(), 0..6).prop_map(|(random_tokens, place)| match place {
        0 => quote!(user:#random_tokens:{id}:string, value = u64, ttl = 1 h),
        1 => quote!(user:name:{id}:string, value = #random_tokens, ttl = "1h"),
        2 => quote!(user:name:{id}:string, value = u64, ttl = #random_tokens),
        3 => quote!(user:name:{id}:string, value = u64, ttl = "1h", #random_tokens),
        4 => quote!(user:name:{#random_tokens}:string, value = u64, ttl = "1h"),
        _ => random_tokens,
    })
}

fn attribute() -> impl Strategy<Value = TokenStream> {
    (arguments(), 0..12).prop_map(|(random_tokens, form)| match form {
        0 => quote!(#[redis_key = #random_tokens]),
        1 => quote!(#[redis_key[#random_tokens]]),
        2 => quote!(#[redis_key{#random_tokens}]),
        3 => quote!(#[redis_key]),
        4 => quote!(#[redis_key(#random_tokens)] #[redis_key(ttl = 1 h)]),
        5 => quote!(#[doc = "docs"] #[serde(#random_tokens)] #[redis_key(#random_tokens)]),
        _ => quote!(#[redis_key(#random_tokens)]),
    })
}

fn field_attribute() -> impl Strategy<Value = TokenStream> {
    prop_oneof![
        4 => Just(TokenStream::new()),
        1 => attribute(),
        1 => select(vec!["digest", "base32", "digst", "digest, base32"]).prop_map(|form| {
            let form = lexed(form);
            quote!(#[redis_key(#form)])
        }),
    ]
}

/// An item of any shape with random tokens in its attributes.
fn item() -> impl Strategy<Value = TokenStream> {
    let parts = (attribute(), field_attribute(), select(&GENERICS[..]), select(&TYPES[..]), select(&TYPES[..]), 0..9);
    parts.prop_map(|(attribute, field, generics, first, second, shape)| {
        let [generics, first, second] = [generics, first, second].map(lexed);
        match shape {
            0 => quote!(#attribute struct Case #generics;),
            1 => quote!(#attribute struct Case #generics (#field #first, pub #second);),
            2 => quote!(#attribute pub enum Case #generics { One, #field Two { id: #first } }),
            3 => quote!(#attribute union Case #generics { #field id: #first, page: #second }),
            4 => quote!(#attribute struct Case #generics { #field r#type: #first, id: #second }),
            5 => quote!(#attribute struct Case #generics where #first: Copy { #field id: #second }),
            6 => quote!(#attribute struct r#fn { #field id: u64 }),
            _ => quote!(#attribute struct Case #generics { #field id: #first, pub page: #second }),
        }
    })
}

/// Whether an item breaks a rule. `None` if it is not an item.
fn is_invalid(tokens: TokenStream) -> Option<bool> {
    let item = syn::parse2(tokens).ok()?;
    Some(!read_key(&item, &Policy::default()).diagnostics.is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_tokens_expand_to_rust(item in item()) {
        let output = redis_key(item.clone());
        let read = syn::parse2::<syn::File>(output.clone());
        prop_assert!(read.is_ok(), "{item}\n{:?}\n{output}", read.err());
        prop_assert_eq!(has_error(&output), is_invalid(item.clone()).unwrap_or(true), "{}\n{}", item, output);
        prop_assert!(has_error(&output) || is_implemented(&output), "{item}\n{output}");
    }

    #[test]
    fn tokens_that_are_not_an_item_are_an_error(tokens in random_tokens()) {
        let output = redis_key(tokens.clone());
        prop_assert!(syn::parse2::<syn::File>(output.clone()).is_ok());
        prop_assert!(is_invalid(tokens).is_some() || has_error(&output));
    }
}

fn is_implemented(output: &TokenStream) -> bool {
    ["__key !", "__copied_key !"].iter().any(|call| output.to_string().contains(call))
}

#[test]
fn an_empty_template_is_an_error() {
    for template in ["\"\"", "\" \"", "r#\"\"#", "\":\"", "\"}\"", "\"{}\"", "{}", ":", ""] {
        for options in ["", ", value = u64, ttl = 1h"] {
            let output = redis_key(lexed(&format!("#[redis_key({template}{options})] struct Case;")));
            assert!(has_error(&output), "{template}{options}");
        }
    }
}

/// The random tokens can also be valid.
#[test]
fn a_valid_item_has_no_error() {
    let output = redis_key(lexed(
        "#[redis_key(user:name:{id}:{r#type}:string, value = Json<T>, ttl = 1h, crate = ::keys)]
         struct Case<'a, T> { id: u64, r#type: &'a str, of: PhantomData<T> }",
    ));
    assert!(!has_error(&output) && syn::parse2::<syn::File>(output.clone()).is_ok(), "{output}");
    // All paths start with the given crate.
    assert!(!output.to_string().contains(":: redis_keys"), "{output}");
}

/// A fragment such as `$option:meta` is a group without delimiters.
#[test]
fn options_can_be_in_invisible_groups() {
    let expanded = |group: &str, rest: &str| {
        let (group, rest) = (Group::new(Delimiter::None, lexed(group)), lexed(rest));
        let output = redis_key(quote!(
            #[redis_key(user:name:{id}:string, #group #rest)]
            struct Case {
                id: u64,
            }
        ));
        assert!(syn::parse2::<syn::File>(output.clone()).is_ok(), "{output}");
        output
    };
    for (group, rest) in [("value = u64", ", ttl = 1h"), ("value = u64, ttl =", "1h"), ("value =", "u64, ttl = 1h")] {
        let output = expanded(group, rest);
        assert!(!has_error(&output) && output.to_string().contains("type Value = u64 ;"), "{output}");
    }
    assert!(has_error(&expanded("value = u64 value =", "u64, ttl = 1h")));
}

#[test]
fn all_errors_of_an_item_are_reported() {
    let output = redis_key(lexed(
        "#[redis_key(User:basicInfo:{idd}:strng, value = 5, ttl = 3600, jiter = 5m)]
         struct Case { #[redis_key(digst)] id: u64 }",
    ));
    assert_eq!(output.to_string().matches("compile_error").count(), 8, "{output}");
}

/// The tests among the functions of an expansion.
fn values_tests(output: &TokenStream) -> Vec<String> {
    let file = syn::parse2::<syn::File>(output.clone()).unwrap();
    let functions = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Fn(function) => Some(quote!(#function).to_string()),
        _ => None,
    });
    functions.filter(|function| function.contains("fn __redis_keys_values_")).collect()
}

#[test]
fn a_key_has_a_test_of_its_values_only_if_it_is_asked_for() {
    let key = "#[redis_key(user:name:{id}:hash, field = u8, value = Json<Name>, ttl = 1h, crate = ::keys)]
         struct r#fn<'a> { id: &'a str }";
    assert_eq!(values_tests(&expand(lexed(key), false)), [] as [String; 0]);
    assert!(!redis_key(lexed(key)).to_string().contains("values"));
    let expected = quote! {
        #[cfg(test)]
        #[::core::prelude::v1::test]
        #[allow(non_snake_case, unnameable_test_items)]
        fn __redis_keys_values_fn() {
            ::keys::values::report(
                "user:name:{id}:hash",
                "r#fn",
                &[("field", <u8 as ::keys::Stored>::form), ("value", <::keys::stored::Json<Name> as ::keys::Stored>::form)]
            );
        }
    };
    assert_eq!(values_tests(&expand(lexed(key), true)), [expected.to_string()]);
}

/// The test cannot choose them.
#[test]
fn values_of_generic_types_are_left_out() {
    let tests = |kind: &str, options: &str, generics: &str| {
        let key =
            format!("#[redis_key(user:name:{{id}}:{kind}, {options} ttl = 1h)] struct Case<{generics}> {{ id: u8 }}");
        values_tests(&expand(lexed(&key), true)).concat()
    };
    assert_eq!(tests("string", "value = Json<T>,", "T"), "");
    assert_eq!(tests("string", "value = Json<Cow<'a, str>>,", "'a"), "");
    assert_eq!(tests("string", "value = Json<[u8; N]>,", "const N: usize"), "");
    assert_eq!(tests("bitmap", "", ""), "");
    let generic_field = tests("hash", "field = T, value = u8,", "T");
    assert!(generic_field.contains("value") && !generic_field.contains("field"), "{generic_field}");
    assert!(tests("hash", "value = Record,", "'a").contains("RedisHash > :: form"));
    assert!(tests("string", "value = Json<Cow<'static, str>>,", "'a").contains("Stored > :: form"));
}
