//! Keys with legacy texts.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use redis_keys_schema::values_of_type;

use super::*;

/// A declaration with fields of these types, and with a legacy text in use.
fn with_legacy(legacy: &str, fields: &[(&str, &str)]) -> Key {
    let path: Vec<_> = fields.iter().map(|(name, _)| format!("{{{name}}}")).collect();
    let parameters = fields.iter().map(|(name, ty)| {
        let mut parameter = parameter(name, values_of_type(ty).map(Values::from));
        (*ty).clone_into(&mut parameter.declared.type_name);
        parameter
    });
    let mut key = declaration(&format!("new:key:{}:string", path.join(":")), parameters.collect());
    key.legacy = Some(legacy.to_owned());
    key
}

fn formerly(mut key: Key) -> Key {
    key.formerly = key.legacy.take();
    key
}

/// Of these declarations, the index of the one that is found for a key, and its text.
fn matched(declarations: &[Key], key: &str) -> Option<(usize, TextKind, bool)> {
    let catalog = Catalog { format: 2, keys: declarations.to_vec(), unread: Vec::new(), left_out: None, foreign: None };
    let matcher = Matcher::new(&catalog, Some("shop")).with_legacy_prefix(Some("old/"));
    assert_eq!(matcher.left_out, &[] as &[usize]);
    matcher.find_match(key.as_bytes()).map(|found| (found.declaration, found.text, found.is_in_use))
}

#[test]
fn a_key_is_found_under_both_texts() {
    use TextKind::{Legacy, Template};
    let legacy = with_legacy("User:{id}:Profile", &[("id", "u64")]);
    let formerly = formerly(legacy.clone());
    for (declaration, is_legacy_in_use) in [(legacy, true), (formerly, false)] {
        let declarations = [declaration];
        let found = |key: &str| matched(&declarations, key);
        assert_eq!(found("old/User:7:Profile"), Some((0, Legacy, is_legacy_in_use)));
        assert_eq!(found("shop:new:key:7:string"), Some((0, Template, !is_legacy_in_use)));
        for key in ["User:7:Profile", "shop:old/User:7:Profile", "new:key:7:string", "old/User:x:Profile", "old/", ""] {
            assert_eq!(found(key), None, "{key}");
        }
    }
}

#[test]
fn of_several_legacy_texts_types_decide_and_then_literal_text() {
    let declarations = [
        with_legacy("{host}:{pid}:{nonce}", &[("host", "String"), ("pid", "u32"), ("nonce", "String")]),
        with_legacy("user:{name}", &[("name", "String")]),
        with_legacy("user:{id}", &[("id", "u64")]),
        with_legacy("user:{id}:{page}", &[("id", "u64"), ("page", "u64")]),
    ];
    for (key, expected) in [
        ("old/user:me", Some(1)),
        ("old/user:7", Some(2)),
        ("old/user:7:8", Some(3)),
        ("old/web:12:a", Some(0)),
        ("old/user:12:a", Some(1)),
        ("old/web:x:a", None),
    ] {
        assert_eq!(matched(&declarations, key).map(|found| found.0), expected, "{key}");
    }
}

#[test]
fn a_key_that_the_declaration_refuses_is_found_if_no_other_text_can_give_it() {
    let flagged = |mut key: Key| {
        key.parameters.iter_mut().for_each(|parameter| parameter.declared.no_colon = true);
        key
    };
    let declarations = [
        with_legacy("User:{name}:Profile", &[("name", "String")]),
        with_legacy("U:{a}:{b}", &[("a", "String"), ("b", "String")]),
        flagged(with_legacy("V:{a}", &[("a", "String")])),
    ];
    for (key, expected) in [("old/User:a:b:Profile", Some(0)), ("old/U:a:b:c", Some(1)), ("old/V:a:b", None)] {
        assert_eq!(matched(&declarations, key).map(|found| found.0), expected, "{key}");
    }
}

#[test]
fn a_legacy_text_in_use_goes_before_a_template_that_is_not() {
    let declarations = [
        with_legacy("Other:{id}", &[("id", "u64")]),
        with_legacy("{x}w:key:{id}:string", &[("x", "String"), ("id", "u64")]),
    ];
    // The prefix is empty here, and the namespace too.
    let catalog = Catalog { format: 2, keys: declarations.to_vec(), unread: Vec::new(), left_out: None, foreign: None };
    let found = Matcher::new(&catalog, None).find(b"new:key:7:string");
    assert_eq!(found, Some(1));
    let catalog = Catalog { keys: declarations.map(formerly).to_vec(), ..catalog };
    let found = Matcher::new(&catalog, None).find(b"new:key:7:string");
    assert_eq!(found, Some(0));
}

#[test]
fn a_legacy_text_is_found_behind_any_prefix() {
    let catalog = |text: &str| {
        let keys = vec![with_legacy(text, &[("id", "u64")])];
        Matcher::new(&Catalog { format: 2, keys, unread: Vec::new(), left_out: None, foreign: None }, None)
    };
    assert!(catalog("User:{id}").finds_legacy_behind_a_prefix(b"app_User:7"));
    assert!(!catalog("User:{id}").finds_legacy_behind_a_prefix(b"app_User:x"));
    // It would be the end of every key.
    assert!(!catalog("{id}").finds_legacy_behind_a_prefix(b"app7"));
}

#[test]
fn a_legacy_text_that_cannot_be_read_is_named() {
    for text in ["User:{other}", "User:{id", "User:{id:>5}"] {
        let keys = vec![with_legacy(text, &[("id", "u64")])];
        let matcher =
            Matcher::new(&Catalog { format: 2, keys, unread: Vec::new(), left_out: None, foreign: None }, None);
        assert_eq!(matcher.left_out, [0], "{text}");
    }
}

/// A type, the format of a field, and a value as `format!` writes it.
fn written() -> impl Strategy<Value = (&'static str, &'static str, String)> {
    macro_rules! integer {
        ($type:ident) => {
            (any::<$type>(), 0..9_usize).prop_map(|(value, format)| {
                let ty = stringify!($type);
                match format {
                    0 => (ty, "", format!("{value}")),
                    1 => (ty, "?", format!("{value:?}")),
                    2 => (ty, "x", format!("{value:x}")),
                    3 => (ty, "X", format!("{value:X}")),
                    4 => (ty, "05", format!("{value:05}")),
                    5 => (ty, "016x", format!("{value:016x}")),
                    6 => (ty, "032x", format!("{value:032x}")),
                    7 => (ty, "040", format!("{value:040}")),
                    _ => (ty, "032X", format!("{value:032X}")),
                }
            })
        };
    }
    prop_oneof![
        integer!(u8),
        integer!(i16),
        integer!(u64),
        integer!(i128),
        integer!(u128),
        any::<bool>().prop_map(|value| ("bool", "", value.to_string())),
        any::<bool>().prop_map(|value| ("bool", "?", format!("{value:?}"))),
        any::<std::net::Ipv4Addr>().prop_map(|value| ("Ipv4Addr", "", value.to_string())),
        any::<std::net::Ipv6Addr>().prop_map(|value| ("Ipv6Addr", "", value.to_string())),
        any::<std::net::IpAddr>().prop_map(|value| ("IpAddr", "?", format!("{value:?}"))),
        "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}".prop_map(|value| ("Uuid", "", value)),
        any::<String>().prop_map(|value| ("String", "?", format!("{value:?}"))),
        "[a-z:_]{0,6}".prop_map(|value| ("String", "", value)),
        any::<String>().prop_map(|value| ("OrgId", "", value)),
        // A type of the user's with the name of a known one.
        any::<String>().prop_map(|value| ("shop::Ipv4Addr", "", value)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_key_that_a_text_gives_is_found(
        fields in proptest::collection::vec((select(vec!["User:", ":", "::", "_", "-", "é{{", "a"]), written()), 1..4),
        end in select(vec!["", ":", ":Profile", "}}"]),
        again in any::<Option<Index>>(),
        others in proptest::collection::vec(select(vec!["User:{name}", "{name}", "a{name}_x"]), 0..3),
        is_in_use in any::<bool>(),
    ) {
        let (mut text, mut key) = (String::new(), "old/".to_owned());
        let mut add = |name: usize, literal: &str, format: &str, value: &str| {
            let format = if format.is_empty() { String::new() } else { format!(":{format}") };
            text.extend([literal, "{f", &name.to_string(), &format, "}"]);
            key.push_str(&literal.replace("{{", "{"));
            key.push_str(value);
        };
        for (index, (literal, (_, format, value))) in fields.iter().enumerate() {
            add(index, literal, format, value);
        }
        if let Some(again) = again {
            let index = again.index(fields.len());
            let (_, (_, format, value)) = &fields[index];
            add(index, "~", format, value);
        }
        text.push_str(end);
        key.push_str(&end.replace("}}", "}"));
        let names: Vec<String> = (0..fields.len()).map(|index| format!("f{index}")).collect();
        let types: Vec<_> = names.iter().zip(&fields).map(|(name, (_, (ty, ..)))| (name.as_str(), *ty)).collect();
        let mut declarations = vec![with_legacy(&text, &types)];
        declarations.extend(others.iter().map(|text| with_legacy(text, &[("name", "String")])));
        if !is_in_use {
            declarations = declarations.into_iter().map(formerly).collect();
        }
        prop_assert!(matched(&declarations, &key).is_some(), "{key} of {text}");
        let alone = matched(&declarations[..1], &key);
        prop_assert_eq!(alone, Some((0, TextKind::Legacy, is_in_use)), "{} of {}", key, text);
    }
}
