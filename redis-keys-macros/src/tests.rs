//! Random tokens for the tests of the derives.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use proptest::prelude::*;
use proptest::sample::select;

/// Fragments with a meaning in some part of the grammar, and others.
#[rustfmt::skip]
const FRAGMENTS: [&str; 121] = [
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
    "cache(null_ttl = 5m)", ", cache(null_ttl = 5m),", "lease = 10s", "refresh = 80%", "near = 10s", "stale = 1h", "limit(100 / 1m)", "limit(100 per 1m)", "burst = 20",
    "tries = 5", "lock", "jobs(lease = 1m)", "bloom",
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

/// The tokens of a text, or none if it does not lex.
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
        // A tick is a token only before a name.
        let name = (sign == '\'').then(|| TokenTree::from(Ident::new("tick", Span::call_site())));
        let spacing = if name.is_some() { Spacing::Joint } else { spacing };
        [TokenTree::from(Punct::new(sign, spacing))].into_iter().chain(name).collect()
    })
}

/// A random tree of tokens.
pub(crate) fn random_tokens() -> impl Strategy<Value = TokenStream> {
    let leaf = prop_oneof![
        8 => select(&FRAGMENTS[..]).prop_map(lexed),
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

pub(crate) fn has_error(output: &TokenStream) -> bool {
    output.to_string().contains("compile_error")
}

/// rustc reads types of 2,000 levels, for which its stack would be too small here.
#[test]
fn nested_types_are_read_up_to_a_limit() {
    use crate::{key, record, segment};

    let read = || {
        for levels in [60, 200, 2_000] {
            let nested = format!("{}u64{}", "Vec<".repeat(levels), ">".repeat(levels));
            let key = |value: &str, field: &str| {
                key::redis_key(lexed(&format!(
                    "#[redis_key(user:name:{{id}}:string, value = {value}, ttl = 1 h)] struct Name {{ id: {field} }}"
                )))
            };
            let outputs = [
                key(&format!("Json<{nested}>"), "u64"),
                key(&format!("\"Json<{nested}>\""), "u64"),
                key("u64", &nested),
                record::redis_hash(lexed(&format!("struct Profile {{ name: String, tags: Json<{nested}> }}"))),
                segment::key_segment(lexed(&format!("struct Id({nested});"))),
            ];
            for output in outputs {
                let text = output.to_string();
                assert_eq!(text.contains("more than 64 levels deep"), levels > 64, "{text}");
            }
        }
    };
    // As much as rustc's.
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(read);
    assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
}
