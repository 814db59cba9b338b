//! Keys and the declarations found for them.
#![allow(clippy::expect_used, reason = "a test that cannot go on")]
#![allow(clippy::unnecessary_wraps, clippy::needless_pass_by_value, reason = "calls are shorter")]

mod legacy;
mod properties;
mod runtime;

use redis_keys_core::schema;

use super::*;
use crate::declare::catalog::{Parameter, ParameterFacts};

/// A declaration with these parameters.
pub(crate) fn declaration(template: &str, parameters: Vec<Parameter>) -> Key {
    let kind = template.rsplit(':').next().and_then(Kind::from_name).unwrap_or(Kind::String);
    let key = serde_json::json!({
        "name": "Name", "template": template, "type": kind, "parameters": parameters, "jitter_ms": 0, "keep_about": false,
        "max_key_bytes": 128, "allowed": [], "file": "src/lib.rs", "line": 1, "longest": 128, "package": "shop",
        "target": "lib:shop",
    });
    serde_json::from_value(key).expect("it is a declaration")
}

/// A parameter that is written as its type writes it.
pub(crate) fn parameter(name: &str, values: Option<Values>) -> Parameter {
    Parameter {
        declared: schema::Parameter::new(name.to_owned(), "T".to_owned(), false, ParameterForm::Plain),
        values,
        dotted: None,
        facts: ParameterFacts::default(),
    }
}

pub(in crate::declare::catalog) fn shard(name: &str, count: u32) -> Parameter {
    let mut shard = parameter(name, up_to(u128::from(count) - 1));
    shard.declared.form = ParameterForm::Shard(count);
    shard
}

pub(crate) fn up_to(to: u128) -> Option<Values> {
    Some(Values::Number { from: 0, to })
}

pub(in crate::declare::catalog) fn names(names: &[&str]) -> Option<Values> {
    Some(Values::OneOf(names.iter().map(|&name| name.to_owned()).collect()))
}

/// The templates of the declarations that are found for keys; `-` if there is none.
fn found(declarations: Vec<Key>, namespace: Option<&str>, keys: &[&str]) -> Vec<String> {
    // In this order, and not in that of their templates.
    let catalog = Catalog { format: 2, keys: declarations, unread: Vec::new(), left_out: None, foreign: None };
    let matcher = Matcher::new(&catalog, namespace);
    let template = |key: &&str| {
        let found = matcher.find(key.as_bytes()).and_then(|index| catalog.keys.get(index));
        found.map_or("-".to_owned(), |found| found.template.clone())
    };
    keys.iter().map(template).collect()
}

/// Of a single declaration, these keys are found and those are not.
#[track_caller]
fn finds(declaration: &Key, keys: &[&str], others: &[&str]) {
    for key in keys {
        assert_eq!(found(vec![declaration.clone()], None, &[key]), [&*declaration.template], "{key}");
    }
    for key in others {
        assert_eq!(found(vec![declaration.clone()], None, &[key]), ["-"], "{key}");
    }
}

#[test]
fn parameters_have_their_values() {
    let one = |values| declaration("user:{x}:string", vec![parameter("x", values)]);
    finds(
        &one(up_to(255)),
        &["user:0:string", "user:255:string"],
        &["user:256:string", "user:007:string", "user:me:string", "user::string", "user:+7:string", "user:7.0:string"],
    );
    finds(
        &one(up_to(u128::MAX)),
        &["user:340282366920938463463374607431768211455:string", "user:18446744073709551616:string"],
        &["user:340282366920938463463374607431768211456:string", "user:00000000000000000000:string"],
    );
    finds(&one(Some(Values::Number { from: 1, to: 9 })), &["user:1:string"], &["user:0:string", "user:10:string"]);
    finds(&one(Some(Values::Hex { digits: 4 })), &["user:00ff:string"], &["user:00FF:string", "user:0ff:string"]);
    finds(&one(Some(Values::IpAddr)), &["user:c0000207:string"], &["user:c000020:string"]);
    finds(&one(Some(Values::Base32)), &["user:mzxw6:string"], &["user:m:string", "user:m1:string"]);
    finds(&one(Some(Values::Months)), &["user:202612:string"], &["user:202613:string"]);
    finds(&one(Some(Values::Days)), &["user:20280229:string"], &["user:20260230:string", "user:20260432:string"]);
    finds(
        &one(names(&["orders", "basic.info"])),
        &["user:orders:string", "user:basic.info:string"],
        &["user:basic:string", "user:order:string"],
    );
    for values in [None, Some(Values::Any)] {
        finds(
            &one(values),
            &["user:a:string", "user:a.b.7:string", "user:string:string"],
            &[
                "user:A:string",
                "user:.a:string",
                "user:a.:string",
                "user:a..b:string",
                "user:a:b:string",
                "user:{a}:string",
            ],
        );
    }
}

#[test]
fn a_word_of_several_has_no_dot() {
    let words = declaration("user:v.{x}.{y}:string", vec![parameter("x", None), parameter("y", up_to(9))]);
    finds(
        &words,
        &["user:v.a.7:string", "user:v.9.0:string"],
        &["user:v.a.b.7:string", "user:v.a:string", "user:w.a.7:string", "user:v..7:string", "user:v.a.7.:string"],
    );
}

#[test]
fn the_braces_of_a_hash_tag_are_in_the_key() {
    finds(
        &declaration("cart:{#x}:list", vec![parameter("x", None)]),
        &["cart:{a}:list", "cart:{a.b}:list"],
        &[
            "cart:a:list",
            "cart:{a:list",
            "cart:{}:list",
            "cart:{{a}}:list",
            "cart:{a}b:list",
            "cart:{:list",
            "cart:}:list",
        ],
    );
    finds(&declaration("cart:{x}:list", vec![parameter("x", None)]), &["cart:a:list"], &["cart:{a}:list"]);
    // Of a key with copies, the placeholder alone says that it is in braces.
    let mut copies = parameter("copy", up_to(7));
    copies.declared.form = ParameterForm::Copy(8);
    finds(
        &declaration("hot:v.{#copy}:string", vec![copies]),
        &["hot:v.{7}:string"],
        &["hot:v.7:string", "hot:v.{8}:string"],
    );
}

#[test]
fn the_last_segment_is_the_type() {
    let name = declaration("user:{x}:zset", vec![parameter("x", None)]);
    finds(
        &name,
        &["user:zset:zset"],
        &["user:a:string", "user:a", "user:zset", "user:a:zset:", "shop:a:zset", ":a:zset"],
    );
}

#[test]
fn a_shard_is_that_of_its_field() {
    let parameters = vec![shard("id", 100), parameter("id", up_to(u128::from(u64::MAX)))];
    finds(
        &declaration("page:{id % 100}:v.{id}:string", parameters),
        &["page:42:v.42:string", "page:15:v.18446744073709551615:string"],
        &["page:42:v.43:string", "page:142:v.142:string"],
    );
    let uuid = parameter("id", Some(Values::Hex { digits: 32 }));
    finds(
        &declaration("page:{#id}:{id % 7}:string", vec![uuid, shard("id", 7)]),
        &["page:{0000000000000000000000000000000f}:1:string"],
        &["page:{0000000000000000000000000000000f}:2:string"],
    );
    // Without the field beside it, or if only the compiler knows what the field is, any shard can be right.
    finds(&declaration("page:{id % 7}:string", vec![shard("id", 7)]), &["page:6:string"], &["page:7:string"]);
    finds(
        &declaration("page:{id % 7}:{id}:string", vec![shard("id", 7), parameter("id", None)]),
        &["page:6:x:string"],
        &[],
    );
}

#[test]
fn a_key_has_a_limit() {
    let mut limited = declaration("user:{x}:string", vec![parameter("x", None)]);
    limited.max_key_bytes = 20;
    finds(&limited, &["user:a.cdefgh:string"], &["user:a.cdefghi:string"]);
    let mut endless = limited.clone();
    endless.max_key_bytes = usize::MAX;
    let key = |bytes: usize| format!("user:{}:string", "x".repeat(bytes - 12));
    finds(&endless, &[&key(128)], &[&key(129), &"a:".repeat(1_000_000)]);
    // The namespace counts.
    let keys = ["shop.eu:user:a.c:string", "shop.eu:user:a:string", "shop.eu:shop.eu:string"];
    assert_eq!(found(vec![limited], Some("shop.eu"), &keys), ["-", "-", "-"]);
}

#[test]
fn a_namespace_is_in_front() {
    let keys = ["shop.eu:user:a:string", "shop.eu:cart:{7}:list", "user:a:string", "shop.eu", "shop.euuser:a:string"];
    let declarations = vec![
        declaration("user:{x}:string", vec![parameter("x", None)]),
        declaration("cart:{#x}:list", vec![parameter("x", up_to(9))]),
    ];
    assert_eq!(found(declarations, Some("shop.eu"), &keys), ["user:{x}:string", "cart:{#x}:list", "-", "-", "-"]);
}

#[test]
fn of_several_declarations_the_most_specific_is_found() {
    let with = |name, values| declaration(&format!("user:{{{name}}}:string"), vec![parameter(name, values)]);
    let declarations = vec![
        with("unknown", None),
        with("text", Some(Values::Any)),
        with("number", up_to(9)),
        with("other", up_to(9)),
        declaration("user:me:string", Vec::new()),
        with("name", names(&["8", "me"])),
    ];
    let keys = ["user:me:string", "user:8:string", "user:7:string", "user:x:string"];
    let expected = ["user:me:string", "user:{name}:string", "user:{number}:string", "user:{text}:string"];
    assert_eq!(found(declarations, None, &keys), expected);
    // An edge that leads nowhere is left again.
    let declarations = vec![
        declaration("user:{x}:b:string", vec![parameter("x", None)]),
        declaration("user:a:c:string", Vec::new()),
        declaration("user:{y}:{z}:string", vec![parameter("y", up_to(9)), parameter("z", up_to(9))]),
    ];
    let keys = ["user:a:b:string", "user:a:c:string", "user:7:b:string", "user:7:7:string", "user:a:7:string"];
    let expected = ["user:{x}:b:string", "user:a:c:string", "user:{x}:b:string", "user:{y}:{z}:string", "-"];
    assert_eq!(found(declarations, None, &keys), expected);
}

#[test]
fn what_is_no_declaration_finds_nothing() {
    let endless = format!("a:{}string", "b:".repeat(1_000_000));
    let empty = parameter("x", names(&[""]));
    for template in ["", "user", "user:{x}:list:string:", "user:{x:string", "{x}:user:string", &endless] {
        assert_eq!(found(vec![declaration(template, Vec::new())], None, &["user:a:string", "", ":", "::"]), ["-"; 4]);
    }
    // The type is another one than the template's, or a parameter is missing.
    let mut other = declaration("user:a:string", Vec::new());
    other.kind = Kind::List;
    finds(&other, &[], &["user:a:string", "user:a:list"]);
    finds(&declaration("user:{x}:string", vec![empty]), &[], &["user::string"]);
    finds(&declaration("user:{x}:string", Vec::new()), &["user:a:string"], &["user::string"]);
}
