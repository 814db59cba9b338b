//! Types that serde's derive implements, as programs store them.
#![allow(dead_code, reason = "only their shapes matter")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{assert_noted, assert_shape};

#[derive(Serialize, Deserialize)]
struct Inner {
    n: f64,
    s: String,
}

#[derive(Serialize, Deserialize)]
enum Kind {
    A,
    B(u8),
    C { x: Option<String> },
    D(u8, String),
}

#[test]
fn structs_and_collections() {
    #[derive(Serialize, Deserialize)]
    struct Order {
        id: u64,
        note: Option<String>,
        items: Vec<Inner>,
        counts: HashMap<String, i32>,
        by_number: BTreeMap<u64, Kind>,
        tags: BTreeSet<char>,
        pair: (u8, bool),
        digest: [u8; 3],
        unit: (),
        wide: u128,
        shared: Box<str>,
        boxed: Box<Inner>,
    }
    assert_shape::<Order>(
        "{ id: u64, note: text?, items: [{ n: f64, s: text }], counts: map<text, i32>, \
         by_number: map<u64, enum { A, B: u8, C { x: text? }, D (u8, text) }>, tags: [char], pair: (u8, bool), \
         digest: (u8, u8, u8), unit: unit, wide: u128, shared: text, boxed: { n: f64, s: text } }",
    );
    assert_shape::<Option<Vec<u8>>>("[u8]?");
    assert_shape::<Duration>("only { secs: u64, nanos: u32 }");
    assert_shape::<Result<u8, String>>("enum { Ok: u8, Err: text }");
}

#[test]
fn newtypes_are_what_they_contain() {
    #[derive(Serialize, Deserialize)]
    struct Id(u64);
    #[derive(Serialize, Deserialize)]
    #[serde(transparent)]
    struct Ids {
        ids: Vec<Id>,
    }
    #[derive(Serialize, Deserialize)]
    struct Point(i32, i32);
    #[derive(Serialize, Deserialize)]
    struct Unit;
    assert_shape::<Ids>("[u64]");
    assert_shape::<Vec<Point>>("[(i32, i32)]");
    assert_shape::<Vec<Unit>>("[unit]");
}

#[test]
fn attributes_of_fields() {
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    struct Account {
        first_name: String,
        #[serde(default)]
        age: u8,
        #[serde(skip)]
        cached: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        zip: Option<u8>,
        #[serde(alias = "aaa", alias = "zzz")]
        mail: u8,
        #[serde(skip_deserializing)]
        computed: u8,
        #[serde(rename(serialize = "w", deserialize = "r"))]
        renamed: u8,
    }
    assert_shape::<Account>(
        "only { firstName: text, age: u8 (optional), zip: u8? (not always written), mail: u8 (or aaa, or zzz), \
         r: u8 (not written), computed: u8 (not read), w: u8 (not read) }",
    );
}

#[test]
fn attributes_of_variants() {
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Plan {
        Free,
        #[serde(alias = "premium")]
        Paid,
        #[serde(other)]
        Unknown,
    }
    assert_shape::<Plan>("enum or other { free, paid, premium (not written), unknown }");
}

/// Each page of pages is another type than the page.
#[test]
fn generic_types_are_not_recursive() {
    #[derive(Serialize, Deserialize)]
    struct Page<T> {
        items: Vec<T>,
        next: Option<String>,
    }
    assert_shape::<Page<Page<u8>>>("{ items: [{ items: [u8], next: text? }], next: text? }");
}

#[test]
fn recursive_types() {
    #[derive(Serialize, Deserialize)]
    struct Tree {
        value: u8,
        children: Vec<Tree>,
        left: Option<Box<Tree>>,
        after: u16,
    }
    #[derive(Serialize, Deserialize)]
    enum Expr {
        Neg(Box<Expr>),
        Add { left: Box<Expr>, right: Box<Expr>, is_wrapping: bool, note: Option<u8> },
        Number(i64),
        List(Vec<Expr>),
    }
    #[derive(Serialize, Deserialize)]
    struct Names(Vec<Names>);
    assert_shape::<Tree>("{ value: u8, children: [up<1>], left: up<1>?, after: u16 }");
    assert_shape::<Expr>(
        "enum { Neg: up<1>, Add { left: up<1>, right: up<1>, is_wrapping: bool, note: u8? }, Number: i64, List: [up<1>] }",
    );
    assert_shape::<Names>("[up<1>]");
    assert_shape::<Vec<Option<Tree>>>("[{ value: u8, children: [up<1>], left: up<1>?, after: u16 }?]");
}

#[test]
fn enums_with_their_tag_and_content_in_fields() {
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Event {
        Renamed(Inner),
        Closed,
        Moved(u8, u8),
        Limited(Option<u8>),
    }
    assert_shape::<Vec<Event>>(
        "[enum by t in c { Renamed { n: f64, s: text }, Closed, Moved (u8, u8), Limited: u8? }]",
    );
}

#[test]
fn enums_with_a_tag() {
    #[derive(Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Event {
        One { a: u32, b: Option<String>, l: Vec<u8>, t: (u8, String), i: Inner, f: f32, k: Kind },
        Two(Inner),
        Three,
    }
    assert_noted::<Event>(
        "enum by type { One partly { a: u32, b: text?, l: [u8], t: (u8, text), i: partly { n: f64, s: text }, f: f32, \
         k: enum { A, B: unknown, C: unknown, D: unknown } }, Two partly { n: f64, s: text }, Three partly {} }",
        &[
            "`.`: serde buffers an enum with `tag`, so its variants may have more fields",
            "`::One.i`: serde buffers this value, so it may have more fields",
            "`::One.k`: serde buffers this enum, so the contents of its variants are not known",
        ],
    );
}

#[test]
fn flattened_structs() {
    #[derive(Serialize, Deserialize)]
    struct Limits {
        least: Option<u8>,
        most: bool,
    }
    #[derive(Serialize, Deserialize)]
    struct Flat {
        id: u64,
        #[serde(flatten)]
        inner: Inner,
        #[serde(flatten)]
        limits: Limits,
    }
    assert_noted::<Flat>(
        "partly { id: u64, n: f64, s: text, least: u8?, most: bool }",
        &["`.`: serde buffers the fields of a struct with `flatten`, so it may have more"],
    );
}
