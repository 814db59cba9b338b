//! The nearest declaration of unknown keys.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::*;
use crate::declare::catalog::matcher::tests::{declaration, names, parameter, shard, up_to};
use crate::declare::catalog::{Catalog, Matcher};

fn catalog() -> Catalog {
    let text = |name| parameter(name, Some(Values::Any));
    let keys = vec![
        declaration("user:basic.info:{user_id}:string", vec![parameter("user_id", up_to(4_294_967_295))]),
        declaration("user:name:{name}:hash", vec![text("name")]),
        declaration(
            "user:v.{version}.{section}:{name}:hash",
            vec![parameter("version", up_to(255)), parameter("section", names(&["orders", "info"])), text("name")],
        ),
        declaration("cart:{#shop}:items:list", vec![text("shop")]),
        declaration("page:{id % 100}:{id}:string", vec![shard("id", 100), parameter("id", up_to(9_999))]),
        declaration("log:{day}:stream", vec![parameter("day", Some(Values::Days))]),
        declaration("queue:jobs:list", Vec::new()),
    ];
    Catalog { format: 2, keys, unread: Vec::new(), left_out: None, foreign: None }
}

/// The template of the nearest declaration, and the problem below the key.
fn shown(key: &str, namespace: Option<&str>) -> String {
    let catalog = catalog();
    let (template, difference) = match nearest(&catalog, namespace, key.as_bytes()) {
        Ok((index, difference)) => (catalog.keys[index].template.as_str(), difference),
        Err(difference) => ("-", difference),
    };
    format!("{template} | {} | {}", &key[difference.place.clone()], difference.problem)
}

#[test]
fn the_first_difference_is_found() {
    for (key, expected) in [
        ("user:basic.info:abc:string", "user:basic.info:{user_id}:string | abc | expected a number for `user_id`, `T`"),
        (
            "user:basic.info:4294967296:string",
            "user:basic.info:{user_id}:string | 4294967296 | `user_id` is out of range: 0 to 4294967295",
        ),
        (
            "user:basic.info:042:string",
            "user:basic.info:{user_id}:string | 042 | `user_id` has a leading zero: keys have numbers in one form",
        ),
        ("user:basicInfo:42:string", "user:basic.info:{user_id}:string | basicInfo | expected `basic.info`"),
        (
            "user:Basic.info:42:string",
            "user:basic.info:{user_id}:string | Basic.info | not lower case: expected `basic.info`",
        ),
        (
            "user:basic.info:42:hash",
            "user:basic.info:{user_id}:string | hash | expected the type `string`, found `hash`",
        ),
        ("user:basic.info:42", "user:basic.info:{user_id}:string |  | missing `string`"),
        ("user:basic.info:string", "user:basic.info:{user_id}:string |  | missing `{user_id}`"),
        ("user:basic.info:42:old:string", "user:basic.info:{user_id}:string | old | unexpected segment"),
        ("user:basic.info:42:string:old", "user:basic.info:{user_id}:string | old | the key has to end before this"),
        ("usr:basic.info:42:string", "user:basic.info:{user_id}:string | usr | expected `user`"),
        ("user:name:Ada:hash", "user:name:{name}:hash | A | `name` is not lower case"),
        (
            "user:name:a_b:hash",
            "user:name:{name}:hash | _ | `name` has a sign that keys do not have: they have `a` to `z`, `0` to `9`, `.` and `:`",
        ),
        ("user:name:a..b:hash", "user:name:{name}:hash | . | empty word in `name`"),
        ("user:name::hash", "user:name:{name}:hash |  | `name` is empty"),
        ("user:v.7.orders.x:a:hash", "user:v.{version}.{section}:{name}:hash | x | expected 3 words, found 4"),
        (
            "user:v.7.others:a:hash",
            "user:v.{version}.{section}:{name}:hash | others | expected one of orders, info for `section`",
        ),
        ("user:v.7.Orders:a:hash", "user:v.{version}.{section}:{name}:hash | Orders | `section` is not lower case"),
        ("cart:7:items:list", "cart:{#shop}:items:list | 7 | expected braces around `shop`, the hash tag"),
        ("page:7:42:string", "page:{id % 100}:{id}:string | 7 | not the shard of `id`"),
        ("log:20261301:stream", "log:{day}:stream | 20261301 | expected a day, YYYYMMDD for `day`"),
        ("other:thing:7:bitmap", "- | other | no declaration resembles this key"),
        ("", "- |  | no declaration resembles this key"),
    ] {
        assert_eq!(shown(key, None), expected, "{key}");
    }
}

/// A mistyped text of today resembles that text, and no template that is not in use.
#[test]
fn the_text_of_today_is_the_nearest() {
    let mut catalog = catalog();
    for (index, text) in [(0, "User:{user_id}:Info"), (1, "sess-{name}")] {
        catalog.keys[index].legacy = Some(text.to_owned());
    }
    let shown = |key: &str| {
        let (index, difference) = nearest_legacy(&catalog, "eu/", key.as_bytes())?;
        let text = catalog.keys[index].legacy.as_deref()?;
        Some(format!("{text} | {} | {}", &key[difference.place], difference.problem))
    };
    for (key, expected) in [
        ("eu/user:7:Info", "User:{user_id}:Info | user: | expected `User:`"),
        ("eu/User:7:Inf", "User:{user_id}:Info | :Inf | expected `:Info` at the end"),
        ("eu/User:7:Infos", "User:{user_id}:Info | Infos | expected `:Info` at the end"),
        ("eu/User:x:Info", "User:{user_id}:Info | x | no values of the declaration are written so"),
        ("eu/ses-9", "sess-{name} | -9 | expected `sess-`"),
        ("eu/User:", "User:{user_id}:Info | : | expected `:Info` at the end"),
    ] {
        assert_eq!(shown(key).as_deref(), Some(expected), "{key}");
    }
    for key in ["user:7:Info", "eu/other", "eu/", "", "user:basic.info:7:string"] {
        assert_eq!(shown(key), None, "{key}");
    }
    // The template of the first declaration is not in use.
    let found = nearest(&catalog, None, b"user:basic.info:x:string").ok();
    let template = found.map(|(index, _)| &*catalog.keys[index].template);
    assert_eq!(template, Some("user:v.{version}.{section}:{name}:hash"));
}

#[test]
fn the_namespace_comes_first() {
    assert_eq!(shown("user:name:a:hash", Some("shop.eu")), "- | user | expected the namespace `shop.eu`");
    assert_eq!(
        shown("shop.eu:user:name:A:hash", Some("shop.eu")),
        "user:name:{name}:hash | A | `name` is not lower case"
    );
}

#[test]
fn a_long_key_differs_in_its_length() {
    let key = format!("user:name:{}:hash", "x".repeat(120));
    assert_eq!(shown(&key, None), format!("user:name:{{name}}:hash | {key} | 135 bytes exceed the limit of 128"));
}

#[test]
fn the_parameters_of_a_key_are_its_parts() {
    let catalog = catalog();
    let texts =
        |index: usize, namespace, key: &'static str| parameters(&catalog.keys[index], namespace, key.as_bytes());
    assert_eq!(texts(2, None, "user:v.7.orders:a.b:hash"), [&b"7"[..], b"orders", b"a.b"]);
    assert_eq!(texts(3, Some("eu"), "eu:cart:{a.b}:items:list"), [b"a.b"]);
    assert!(texts(3, Some("eu"), "cart:{a.b}:items:list").is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every key that is not found has a difference, which lies inside of it.
    #[test]
    fn unknown_keys_have_a_difference(
        key in select(vec!["user:basic.info:42:string", "user:v.7.orders:a:hash", "cart:{7}:items:list", "page:42:42:string"]),
        at in any::<Index>(),
        piece in prop_oneof![
            select(vec!["", ":", ".", "{", "}", "A", "\u{e9}", ":string", "::", "9999999999"]).prop_map(str::to_owned),
            ".{0,9}",
        ],
        bytes in proptest::collection::vec(any::<u8>(), 0..4),
        length in 0..4_usize,
        namespace in select(vec![None, Some("eu")]),
    ) {
        let catalog = catalog();
        let mut key = key.as_bytes().to_vec();
        let at = at.index(key.len());
        let end = (at + length).min(key.len());
        key.splice(at..end, piece.bytes().chain(bytes));
        if Matcher::new(&catalog, namespace).find(&key).is_none() {
            let difference = match nearest(&catalog, namespace, &key) {
                Ok((_, difference)) | Err(difference) => difference,
            };
            prop_assert!(key.get(difference.place.clone()).is_some(), "{:?}", difference);
            prop_assert!(!difference.problem.is_empty() && difference.problem != "another declaration", "{:?}", difference);
        }
    }
}
