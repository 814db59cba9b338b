//! Whatever stands in an attribute: no panic, tokens that are Rust, and an error where a rule is broken.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use proptest::prelude::*;
use proptest::sample::select;
use quote::quote;
use redis_keys_schema::Policy;

use crate::input::Input;
use crate::redis_key;
use crate::types::Types;

/// What means something to a part of the grammar, and what doesn't.
#[rustfmt::skip]
const CRUMBS: [&str; 108] = [
    "user", "basicInfo", "user_info", "string", "zset", "strng", "id", "page", "r#type", "r#fn", "type", "self", "Self",
    "super", "_", "é", "名前", "2fa", "1e5", "1.5h", "v1.2", "2024.05", "007", "0x1F", "1_000", "64KB", "3600", "10",
    "99999999999999999999w", "1.2.3", "'a", "'static", "'x'", "b'x'", "\"\"", "\"user:name:{id}:string\"",
    "\"user:{id\"", "\"a\\\"b\\n\\u{e9}\"", "r#\"raw \"quotes\"\"#", "b\"\\xff\"", "c\"text\"", "\"名:{#id}\"", ":", "::",
    ".", "..", "...", ",", ",,", "=", "==", "=>", "<=", "->", "<", ">", ">>", "%", "-", "/", "|", "&", "!", "?", "@",
    "#", "~", ";", "$", "{id}", "{#id}", "{id % 10}", "{id:?}", "{}", "{{id}}", "{copy}", "{0}", "user:name:{id}:string",
    "value", "value =", "value = u64", "value = Json<P>", "value = \"Json<P\"", "value = Zstd<", "value = T", "field = F",
    "ttl", "ttl = 1h", "ttl = \"1h\"", "ttl = never", "jitter = 10%", "renew = below(10m)", "renew = below()",
    "max_bytes = 64KB", "max_len = 5", "reason = \"x\"", "owner = web", "allow(x)", "crate = ::keys", "crate = 5",
    "copies = 8", "ttl_from_end_of = id", "ttl_from_end_of = day", "digest", "{#copy}", "expire = 3600", "codec = json", "/// docs\n",
];

pub(crate) const TYPES: [&str; 18] = [
    "u64",
    "String",
    "&'a str",
    "f64",
    "Option<u64>",
    "Vec<u8>",
    "PhantomData<T>",
    "std::marker::PhantomData<fn() -> T>",
    "T",
    "[T; N]",
    "[u8; { 2 + 2 }]",
    "(u8, &'a T)",
    "fn(u8) -> bool",
    "Box<dyn Fn(&str) -> u8 + 'a>",
    "<T as Iterator>::Item",
    "*const u8",
    "my::own::Id<'a, T, N>",
    "id!()",
];

pub(crate) const GENERICS: [&str; 5] =
    ["", "<'a, T, const N: usize>", "<T: Iterator>", "<'a, T: ?Sized + 'a = str>", "<const N: usize = 4>"];

/// The tokens of a text, or none if it is not one that Rust's lexer takes.
pub(crate) fn lexed(text: &str) -> TokenStream {
    text.parse().unwrap_or_default()
}

fn literal() -> impl Strategy<Value = Literal> {
    prop_oneof![
        any::<String>().prop_map(|text| Literal::string(&text)),
        any::<Vec<u8>>().prop_map(|bytes| Literal::byte_string(&bytes)),
        any::<char>().prop_map(Literal::character),
        any::<u8>().prop_map(Literal::byte_character),
        any::<u128>().prop_map(Literal::u128_unsuffixed),
        any::<i64>().prop_map(Literal::i64_suffixed),
        (-1e9..1e9).prop_map(Literal::f64_unsuffixed),
    ]
}

fn punct() -> impl Strategy<Value = TokenStream> {
    let signs = select("=<>!~+-*/%^&|@.,;:#$?'".chars().collect::<Vec<_>>());
    (signs, any::<bool>()).prop_map(|(sign, joint)| {
        let spacing = if joint { Spacing::Joint } else { Spacing::Alone };
        // A tick that no name follows is no token.
        let name = (sign == '\'').then(|| TokenTree::from(Ident::new("tick", Span::call_site())));
        let spacing = if name.is_some() { Spacing::Joint } else { spacing };
        [TokenTree::from(Punct::new(sign, spacing))].into_iter().chain(name).collect()
    })
}

/// A random tree of tokens.
pub(crate) fn soup() -> impl Strategy<Value = TokenStream> {
    let leaf = prop_oneof![
        8 => select(&CRUMBS[..]).prop_map(lexed),
        1 => any::<String>().prop_map(|text| lexed(&text)),
        1 => "[a-zA-Z0-9_.:{}#%,= \"-]{0,24}".prop_map(|text| lexed(&text)),
        1 => literal().prop_map(|literal| TokenTree::from(literal).into()),
        1 => punct(),
    ];
    let tree = leaf.prop_recursive(4, 32, 6, |inner| {
        let delimiters = vec![Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];
        (select(delimiters), several(inner))
            .prop_map(|(delimiter, tokens)| TokenTree::from(Group::new(delimiter, tokens)).into())
    });
    several(tree)
}

fn several(one: impl Strategy<Value = TokenStream>) -> impl Strategy<Value = TokenStream> {
    prop::collection::vec(one, 0..8).prop_map(|tokens| tokens.into_iter().collect())
}

/// Soup alone, and soup in the place of each part of a right declaration.
fn arguments() -> impl Strategy<Value = TokenStream> {
    (soup(), 0..6).prop_map(|(soup, place)| match place {
        0 => quote!(user:#soup:{id}:string, value = u64, ttl = 1 h),
        1 => quote!(user:name:{id}:string, value = #soup, ttl = "1h"),
        2 => quote!(user:name:{id}:string, value = u64, ttl = #soup),
        3 => quote!(user:name:{id}:string, value = u64, ttl = "1h", #soup),
        4 => quote!(user:name:{#soup}:string, value = u64, ttl = "1h"),
        _ => soup,
    })
}

fn attribute() -> impl Strategy<Value = TokenStream> {
    (arguments(), 0..12).prop_map(|(soup, form)| match form {
        0 => quote!(#[redis_key = #soup]),
        1 => quote!(#[redis_key[#soup]]),
        2 => quote!(#[redis_key{#soup}]),
        3 => quote!(#[redis_key]),
        4 => quote!(#[redis_key(#soup)] #[redis_key(ttl = 1 h)]),
        5 => quote!(#[doc = "docs"] #[serde(#soup)] #[redis_key(#soup)]),
        _ => quote!(#[redis_key(#soup)]),
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

/// An item of any shape with soup in its attributes.
fn item() -> impl Strategy<Value = TokenStream> {
    let parts = (attribute(), field_attribute(), select(&GENERICS[..]), select(&TYPES[..]), select(&TYPES[..]), 0..9);
    parts.prop_map(|(attribute, field, generics, first, second, shape)| {
        let [generics, first, second] = [generics, first, second].map(lexed);
        match shape {
            0 => quote!(#attribute struct Soup #generics;),
            1 => quote!(#attribute struct Soup #generics (#field #first, pub #second);),
            2 => quote!(#attribute pub enum Soup #generics { One, #field Two { id: #first } }),
            3 => quote!(#attribute union Soup #generics { #field id: #first, page: #second }),
            4 => quote!(#attribute struct Soup #generics { #field r#type: #first, id: #second }),
            5 => quote!(#attribute struct Soup #generics where #first: Copy { #field id: #second }),
            6 => quote!(#attribute struct r#fn { #field id: u64 }),
            _ => quote!(#attribute struct Soup #generics { #field id: #first, pub page: #second }),
        }
    })
}

/// Whether the rules have something against an item; `None` if it is no item at all.
fn is_wrong(tokens: TokenStream) -> Option<bool> {
    let item = syn::parse2(tokens).ok()?;
    let input = Input::new(&item);
    let mut checked = redis_keys_schema::check(&input.item(), &Policy::default());
    Types::read(&input, &checked.declaration, &mut checked.diagnostics);
    Some(!checked.diagnostics.is_empty())
}

pub(crate) fn has_error(output: &TokenStream) -> bool {
    output.to_string().contains("compile_error")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn soup_is_answered_with_rust(item in item()) {
        let output = redis_key(item.clone());
        let read = syn::parse2::<syn::File>(output.clone());
        prop_assert!(read.is_ok(), "{item}\n{:?}\n{output}", read.err());
        prop_assert_eq!(has_error(&output), is_wrong(item.clone()).unwrap_or(true), "{}\n{}", item, output);
    }

    #[test]
    fn what_is_no_item_is_answered_with_an_error(tokens in soup()) {
        let output = redis_key(tokens.clone());
        prop_assert!(syn::parse2::<syn::File>(output.clone()).is_ok());
        prop_assert!(is_wrong(tokens).is_some() || has_error(&output));
    }
}

/// What the soup is made of can also be right.
#[test]
fn a_right_item_has_no_error() {
    let output = redis_key(lexed(
        "#[redis_key(user:name:{id}:{r#type}:string, value = Json<T>, ttl = 1h, crate = ::keys)]
         struct Soup<'a, T> { id: u64, r#type: &'a str, of: PhantomData<T> }",
    ));
    assert!(!has_error(&output) && syn::parse2::<syn::File>(output.clone()).is_ok(), "{output}");
    // A crate of another name has no other.
    assert!(!output.to_string().contains(":: redis_keys"), "{output}");
}

/// Each mistake of an item has its own error.
#[test]
fn all_errors_are_told_at_once() {
    let output = redis_key(lexed(
        "#[redis_key(User:basicInfo:{idd}:strng, value = 5, ttl = 3600, jiter = 5m)]
         struct Soup { #[redis_key(digst)] id: u64 }",
    ));
    assert_eq!(output.to_string().matches("compile_error").count(), 8, "{output}");
}
