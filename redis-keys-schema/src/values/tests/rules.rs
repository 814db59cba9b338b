//! What happens to values after each kind of change, in both directions.

use redis_keys_core::value_shape::Form;

use super::super::Outcome::{self, All, Misread, Notes, Reads, Some, Unsure};
use super::super::{Level, compare, outcome, read};
use super::{form, schema};

/// A change of a type, its outcomes in JSON and `MessagePack`, and those in Postcard: stored values in the new program,
/// and new values in the old program. A `;` is the end of a line.
type Change = (&'static str, &'static str, [Outcome; 2], [Outcome; 2]);

const FIELDS: &[Change] = &[
    ("{a: u8}", "{a: u8; b: text?}", [Reads, Notes], [All, All]),
    ("{a: u8}", "{a: u8; b: text (optional)}", [Reads, Notes], [All, All]),
    ("{a: u8}", "{a: u8; b: text (perhaps needed)}", [Unsure, Notes], [All, All]),
    ("{a: u8}", "{b: text?; a: u8}", [Reads, Notes], [Misread, Misread]),
    ("{a: u8}", "{a: u8; b: text}", [All, Notes], [All, All]),
    ("{a: u8}", "{a: u8; b: unit}", [All, Notes], [Reads, Reads]),
    ("[{a: u8}]", "[{a: u8; b: u8 (optional)}]", [Reads, Notes], [Misread, Misread]),
    ("{x: {a: u8}; y: u8}", "{x: {a: u8; b: u8?}; y: u8}", [Reads, Notes], [Misread, Misread]),
    ("{a: u8; b: text?}", "{a: u8}", [Notes, Reads], [All, All]),
    // Renamed.
    ("{a: u8; b: text}", "{a: u8; c: text}", [All, All], [Reads, Reads]),
    ("{a: u8; b: text}", "{a: u8; c: text (or b)}", [Reads, All], [Reads, Reads]),
    ("{a: u8; b: u8}", "{c: u8 (or a, or b)}", [All, All], [All, All]),
    // Another order.
    ("{a: text; b: text}", "{b: text; a: text}", [Reads, Reads], [Misread, Misread]),
    // Read or written only.
    ("{a: u8; b: u8}", "{a: u8; b: u8 (not read, not written)}", [Notes, All], [All, All]),
    ("{a: u8; b: u8}", "{a: u8; b: u8 (optional, not written)}", [Reads, All], [Reads, All]),
    ("{a: u8; b: u8}", "{a: u8; b: u8 (not always written)}", [Reads, Some], [Reads, Reads]),
    ("{a: u8; b: u8}", "{a: u8; b: u8 (optional, not always written)}", [Reads, Some], [Reads, Reads]),
    // Unknown fields.
    ("{a: u8}", "only {a: u8}", [Reads, Reads], [Reads, Reads]),
    ("only {a: u8}", "only {a: u8; b: u8 (optional)}", [Reads, All], [All, All]),
    ("{a: u8}", "partly {a: u8}", [Reads, Reads], [All, Reads]),
    ("partly {a: u8}", "{a: u8; b: u8 (optional)}", [Unsure, Unsure], [All, All]),
    ("partly {a: u8}", "only {a: u8}", [Unsure, Reads], [Reads, All]),
];

const TYPES: &[Change] = &[
    ("{a: u32}", "{a: u64}", [Reads, Some], [Reads, Some]),
    ("{a: u8}", "{a: u16}", [Reads, Some], [Misread, Misread]),
    ("{a: i32}", "{a: u32}", [Some, Some], [Misread, Misread]),
    ("{a: u128}", "{a: i128}", [Some, Some], [Misread, Misread]),
    ("{a: f32}", "{a: f64}", [Reads, Notes], [Misread, Misread]),
    ("{a: u32}", "{a: f64}", [Reads, All], [Misread, Misread]),
    ("{a: u64}", "{a: f64}", [Notes, All], [Misread, Misread]),
    ("{a: u64}", "{a: text}", [All, All], [Misread, Misread]),
    ("{a: bool}", "{a: u8}", [All, All], [Reads, Misread]),
    ("{a: u8}", "{a: u8?}", [Reads, Some], [Misread, Misread]),
    ("{a: {b: u8}}", "{a: {b: u16?}?}", [Reads, Some], [Misread, Misread]),
    ("{a: unit}", "{a: u8?}", [Reads, Some], [All, All]),
    ("{a: char}", "{a: text}", [Reads, Some], [Reads, Some]),
    ("{a: text like \"127.0.0.1\"}", "{a: text}", [Reads, Some], [Reads, Some]),
    ("{a: text like \"a\"}", "{a: text like \"b\"}", [All, All], [All, All]),
    ("{a: text}", "{a: [text]}", [All, All], [Misread, Misread]),
    ("{a: checked<u8, not \"0\">}", "{a: u8}", [Reads, Some], [Reads, Some]),
    ("{a: checked<u8, not \"0\">}", "{a: checked<u8, not \"0\", not \"9\">}", [Some, Reads], [Some, Reads]),
    ("{a: checked<u8>}", "{a: u8}", [Reads, Some], [Reads, Some]),
    ("{a: checked<u8>}", "{a: u16}", [Reads, Some], [Misread, Misread]),
    // What is not known can have changed without a change of the text.
    ("{a: checked<u8>}", "{a: checked<u8>}", [Unsure, Unsure], [Unsure, Unsure]),
    ("{a: unknown}", "{a: unknown}", [Unsure, Unsure], [Unsure, Unsure]),
    ("{a: checked<any<unknown>>}", "{a: text}", [Some, Unsure], [Misread, All]),
    ("{a: any<unknown>}", "{a: u8}", [Some, Reads], [Misread, All]),
    ("{a: any<text>}", "{a: text}", [Reads, Reads], [Reads, All]),
    ("{a: any<text>}", "{a: u8}", [Some, Unsure], [Misread, All]),
    ("{a: any<text>}", "{a: any<text>}", [Reads, Reads], [All, All]),
    ("{a: unknown}", "{a: u8}", [Unsure, Unsure], [Unsure, Unsure]),
    ("{a: unknown}", "{a: unknown; b: u8?}", [Unsure, Unsure], [All, All]),
    ("{a: [up<1>]}", "{a: [up<1>]; b: u8?}", [Reads, Notes], [Misread, Misread]),
    ("{a: [up<1>]}", "{a: {x: [up<2>]}}", [All, All], [Misread, Misread]),
    ("{a: [up<1>]}", "{a: [up<2>]}", [Unsure, Unsure], [Misread, Misread]),
];

const COLLECTIONS: &[Change] = &[
    ("[u16]", "[u32]", [Reads, Some], [Reads, Some]),
    ("[u8]", "[text]", [Some, Some], [Misread, Misread]),
    ("(u8, u8)", "(u8, u8, u8)", [All, All], [All, All]),
    ("(u8, u16)", "{a: u8; b: u16}", [Reads, All], [Reads, Reads]),
    ("(u8)", "u8", [All, All], [Reads, Reads]),
    ("(u8, u8)", "[u8]", [Reads, Some], [Misread, Misread]),
    ("{a: u8; b: u8}", "map<text, u8>", [Reads, Some], [Misread, Misread]),
    ("map<text, u8>", "{a: u8 (optional)}", [Notes, Reads], [Misread, Misread]),
    ("map<text, u8>", "only {a: u8}", [Some, Reads], [Misread, Misread]),
    ("map<u16, {a: u8}>", "map<u16, {a: u8; b: u8}>", [Some, Notes], [Misread, Misread]),
];

const ENUMS: &[Change] = &[
    ("enum {A; B}", "enum {A; B; C: u8}", [Reads, Some], [Reads, Some]),
    ("enum {A; B}", "enum {A; C; B}", [Reads, Some], [Misread, Misread]),
    ("enum {A; B; C}", "enum {A; C}", [Some, Reads], [Misread, Misread]),
    ("enum {A}", "enum {B}", [All, All], [Notes, Notes]),
    ("enum {A; B}", "enum {A; B (not written); C}", [Reads, Some], [Notes, Notes]),
    ("enum {A; B: u8}", "enum {A; C: text}", [Some, Some], [Misread, Misread]),
    ("enum {A; B}", "enum or other {A}", [Notes, Reads], [Notes, Reads]),
    ("enum {A; B: u8}", "enum or other {A}", [Some, Reads], [Misread, Reads]),
    ("enum {A; B}", "enum {A; B: u8}", [Some, Some], [Some, Some]),
    ("[enum {A; B}]", "[enum {A; B: u8}]", [Some, Some], [Misread, Misread]),
    ("enum {A: unit; B}", "enum {A; B}", [Reads, Some], [Reads, Reads]),
    ("enum {A {x: u8}; B}", "enum {A: {x: u8}; B}", [Reads, Reads], [Reads, Reads]),
    ("enum {A (u8, u8); B}", "enum {A: u8; B}", [Some, Some], [Some, Some]),
    ("enum {A {x: u8}; B}", "enum {A {x: u8; y: u8?}; B}", [Reads, Notes], [Some, Some]),
    // Other notations.
    ("enum {A {x: u8}}", "enum by t {A {x: u8}}", [All, All], [All, Misread]),
    ("enum by t {A {x: u8}}", "enum by s {A {x: u8}}", [All, All], [All, All]),
    ("enum by t {A {x: u8}; B}", "enum by t {A {x: u8}; B; C}", [Reads, Some], [All, All]),
    ("enum by t {A {x: u8}; B}", "enum by t {A {x: u8; y: u8}; B}", [Some, Notes], [All, All]),
    ("enum by t {A {x: u8}; B}", "enum by t {A: {x: u8}; B {y: u8?}}", [Reads, Notes], [All, All]),
    ("enum {A: u8; B}", "enum by t in c {A: u8; B}", [All, All], [Misread, Reads]),
    ("enum by t in c {A: u8; B}", "enum by t in c {A: text; B}", [Some, Some], [Misread, Misread]),
    ("enum by t in c {A: u8; B}", "enum by t in c {A: u8; B: u8?}", [Reads, Some], [Misread, Misread]),
    ("enum by t {A {x: u8}}", "{t: text; x: u8}", [Reads, All], [Misread, All]),
    ("{x: u8}", "enum by t {A {x: u8}}", [All, Notes], [All, Misread]),
    ("{a: text}", "{a: enum {A; B}}", [Some, Reads], [Misread, Misread]),
    ("{a: text}", "{a: enum or other {A; B}}", [Notes, Reads], [Misread, Misread]),
    ("{a: text}", "{a: enum or other {A; B: u8}}", [Some, Some], [Misread, Misread]),
    ("{a: text}", "{a: enum by t {A; B}}", [All, All], [All, Misread]),
];

/// Enums of which no name tells the variants apart. Postcard writes them, but cannot read them.
const ALTERNATIVES: &[Change] = &[
    ("one of {u8; text}", "one of {u8; text; bool}", [Reads, Some], [All, All]),
    ("one of {u8; text}", "one of {text}", [Some, Reads], [All, All]),
    ("one of {u8; text}", "text", [Some, Reads], [Misread, All]),
    ("text", "one of {text; [text]}", [Reads, Some], [All, Misread]),
    ("u64", "one of {u8; f64}", [Notes, Some], [All, Misread]),
    ("one of {{a: u8}; {b: text}}", "one of {{a: u8}; {b: u8}}", [Some, Some], [All, All]),
    ("one of {{a: u8}; {b: text}}", "one of {{b: text}; {a: u8}}", [Reads, Reads], [All, All]),
    ("one of {{a: u8}; {b: u8}}", "one of {{a: u8}; {b: u8; c: u8}}", [Some, Notes], [All, All]),
    ("{x: {a: u8}}", "{x: one of {{b: u8}; {a: u8}}}", [Reads, Some], [All, Reads]),
    ("{x: {a: u8}}", "{x: one of {{b: u8}; {a: text}}}", [All, Some], [All, Misread]),
    ("{x: [{a: u8}]}", "{x: [one of {{b: u8}; {a: text}}]}", [Some, Some], [Some, Misread]),
    ("one of {only {a: u8}; {b: u8?}}", "one of {only {a: u8; c: u8}; {b: u8?}}", [Misread, Misread], [All, All]),
    ("one of {{a: u8}; {b: u8?}}", "one of {{a: u8; c: u8}; partly {b: u8?}}", [Some, Notes], [All, All]),
    ("one of {{a: u8}; unknown}", "one of {{a: text}; unknown}", [Unsure, Unsure], [All, All]),
    ("one of {}", "one of {u8}", [Reads, All], [All, All]),
];

/// Changes of the form, with their outcomes in both directions.
const FORMS: &[(&str, &str, [Outcome; 2])] = &[
    ("u8", "u8", [Reads, Reads]),
    // The first alternative that fits is read.
    ("Json<one of {{a: u8}; {a: u8; b: u8}}>", "Json<one of {{a: u8; b: u8}; {a: u8}}>", [Reads, Notes]),
    ("u32", "u64", [Reads, Some]),
    ("u64", "f64", [Notes, Some]),
    ("f64", "f32", [Notes, Reads]),
    ("u8", "text", [Reads, Some]),
    ("bool", "u8", [Reads, Some]),
    ("text", "bytes", [Reads, Some]),
    ("text", "text of Uuid", [Some, Reads]),
    ("text of Uuid", "text of Uuid", [Reads, Reads]),
    ("text of Uuid", "text of Day", [Unsure, Unsure]),
    ("u64", "text of Day", [Unsure, Some]),
    ("u8", "Json<u8>", [Reads, Reads]),
    ("u8", "Json<u8?>", [Reads, Some]),
    ("bool", "Json<bool>", [All, All]),
    ("u8", "Json<text>", [All, All]),
    ("text", "Json<{a: u8}>", [Some, Misread]),
    ("text", "Json<u8>", [Some, Reads]),
    ("bytes", "Json<u8>", [Some, Reads]),
    ("text of Uuid", "Json<text>", [Some, Some]),
    ("bool", "Json<u8>", [Reads, Some]),
    ("Json<{a: u8}>", "MessagePack<{a: u8}>", [All, All]),
    ("Json<u8>", "MessagePack<u8>", [Misread, Misread]),
    ("Json<{a: u8}>", "Postcard<1, {a: u8}>", [All, All]),
    ("Json<{a: u8}>", "Postcard<123, {a: u8}>", [Misread, Misread]),
    ("MessagePack<{a: u8}>", "Postcard<1, {a: u8}>", [All, All]),
    ("MessagePack<{a: u8}>", "Postcard<200, {a: u8}>", [Misread, Misread]),
    ("Postcard<1, {a: u8}>", "Postcard<2, {a: u8}>", [All, All]),
    ("Postcard<1, u8>", "text", [Misread, Misread]),
    ("Postcard<1, u8>", "u8", [All, All]),
    ("Json<u8>", "Zstd<Json<u8>>", [All, All]),
    ("bytes", "Zstd<bytes>", [Misread, Misread]),
    ("Postcard<1, u8>", "Zstd<Postcard<1, u8>>", [All, All]),
    ("Postcard<254, u8>", "Zstd<Postcard<254, u8>>", [Misread, Misread]),
    ("Zstd<Json<u8>>", "Lz4<Json<u8>>", [Some, Some]),
    ("Zstd<Json<u8>>", "Gzip<Json<text>>", [All, All]),
    ("Zstd<Json<u8>>", "Zstd<Postcard<1, u8>>", [All, All]),
    ("Zstd<Json<{a: u8}>>", "Zstd<Json<{a: u8; b: u8}>>", [All, Notes]),
    ("Json<u8>", "Secret<Json<u8>>", [All, All]),
    ("Secret<Json<{a: u8}>>", "Secret<Json<{b: u8}>>", [All, All]),
    ("own form A", "own form A", [Reads, Reads]),
    ("own form A", "own form B", [Unsure, Unsure]),
    ("own form A", "Secret<own form A>", [Unsure, Unsure]),
    ("own form A", "Json<u8>", [Unsure, Unsure]),
    // Records.
    ("record {a: u8}", "record {a: u8; b: u8?}", [Reads, Notes]),
    ("record {a: u8}", "record {a: u8; b: u8}", [All, Notes]),
    ("record {a: u8; b: u8}", "record {a: u8}", [Notes, All]),
    ("record {a: u8}", "record {b: u8}", [All, All]),
    ("record {a: u8; b: u8}", "record {b: u8; a: u8}", [Reads, Reads]),
    ("record {a: u8}", "record {a: u8?}", [Reads, Some]),
    ("record {a: u8?}", "record {a: text?}", [Reads, Some]),
    ("record {a: u8?}", "record {a: Json<text>?}", [Some, Some]),
    ("record {a: f64}", "record {a: u64}", [Some, Notes]),
    ("record {a: Zstd<Json<{x: u8}>>}", "record {a: Zstd<Json<{x: u8; y: u8}>>}", [All, Notes]),
    ("record {a: u8}", "Json<{a: u8}>", [All, All]),
    // Protobuf.
    ("Protobuf<{1: u32}>", "Protobuf<{1: u64; 2: text}>", [Reads, Misread]),
    ("Protobuf<{1: u32}>", "Protobuf<{2: u32}>", [Notes, Notes]),
    ("Protobuf<{1: u32}>", "Protobuf<{1: text}>", [Some, Some]),
    ("Protobuf<{1: i32}>", "Protobuf<{1: u32}>", [Misread, Misread]),
    ("Protobuf<{1: checked<i64, not \"plain integers\">}>", "Protobuf<{1: i64}>", [Misread, Misread]),
    (
        "Protobuf<{1: checked<i32, not \"plain integers\">}>",
        "Protobuf<{1: checked<i64, not \"plain integers\">}>",
        [Reads, Misread],
    ),
    ("Protobuf<{1: checked<u32, not \"integers of variable length\">}>", "Protobuf<{1: u32}>", [Some, Some]),
    ("Protobuf<{1: checked<u32, not \"integers of variable length\">}>", "Protobuf<{1: f32}>", [Misread, Misread]),
    ("Protobuf<{1: partly {}?}>", "Protobuf<{1: partly {}?}>", [Reads, Reads]),
    ("Protobuf<{1: text}>", "Protobuf<{1: bytes}>", [Reads, Some]),
    ("Protobuf<{1: u32}>", "Protobuf<{1: [u32]}>", [Reads, Misread]),
    ("Protobuf<{1: {1: u32}?}>", "Protobuf<{1: {1: u32; 2: u32}?}>", [Reads, Notes]),
    ("Protobuf<{1: f64}>", "Protobuf<{1: f32}>", [Some, Some]),
    ("Protobuf<unknown>", "Protobuf<{1: f32}>", [Unsure, Unsure]),
    ("Protobuf<{1: unknown}>", "Protobuf<{1: f32}>", [Unsure, Unsure]),
    ("Protobuf<partly {1: u32}>", "Protobuf<{1: u32; 2: u32}>", [Unsure, Unsure]),
];

#[test]
fn each_change_has_its_outcome() {
    let mut wrong = Vec::new();
    for (old, new, named, positional) in [FIELDS, TYPES, COLLECTIONS, ENUMS, ALTERNATIVES].concat() {
        for (codec, expected) in [("Json<", named), ("MessagePack<", named), ("Postcard<1, ", positional)] {
            let (old, new) = (form(&format!("{codec}{old}>")), form(&format!("{codec}{new}>")));
            check(&old, &new, expected, &mut wrong);
        }
    }
    for (old, new, expected) in FORMS {
        check(&form(old), &form(new), *expected, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn check(old: &Form, new: &Form, [stored, rolling]: [Outcome; 2], wrong: &mut Vec<String>) {
    for (written, reader, expected) in [(old, new, stored), (new, old, rolling)] {
        let findings = read(written, reader);
        if outcome(&findings) != expected {
            let text = format!("{written} -> {reader}").replace('\n', " ");
            wrong.push(format!("{text}\n   expected {expected:?}: {findings:?}"));
        }
    }
}

#[test]
fn notations_that_differ_only_in_json() {
    let cases = [
        ("<map<u16, u8>>", "<map<text, u8>>", [Reads, Some], [Some, Some]),
        ("<bytes>", "<text>", [All, All], [Some, All]),
        ("<bytes>", "<[u8]>", [Reads, Reads], [All, Reads]),
        ("<map<u16, u8>>", "<{a: u8 (optional)}>", [All, All], [All, All]),
        ("<u8>", "<enum {A; B}>", [All, All], [Misread, All]),
        ("<f32>", "<enum {A; B}>", [All, All], [All, All]),
    ];
    let mut wrong = Vec::new();
    for (old, new, json, message_pack) in cases {
        for (codec, expected) in [("Json", json), ("MessagePack", message_pack)] {
            check(&form(&format!("{codec}{old}")), &form(&format!("{codec}{new}")), expected, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_value_of_the_same_form_is_read() {
    for (old, new, ..) in [FIELDS, TYPES, COLLECTIONS, ENUMS, ALTERNATIVES].concat() {
        for text in [old, new].map(|shape| format!("Json<{shape}>")) {
            let form = form(&text);
            // A field that is written and never read is dropped, and one that is never written can be mandatory.
            if !text.contains("written") {
                let is_known =
                    !["unknown}", "unknown;", "checked<u8>", "checked<any"].iter().any(|part| text.contains(part));
                assert_eq!(outcome(&read(&form, &form)), if is_known { Reads } else { Unsure }, "{text}");
            }
        }
    }
}

/// Two types that are not known can differ, wherever they are, unless the whole form is the same.
#[test]
fn types_that_are_not_known_are_never_silently_fine() {
    for codec in ["Json<", "MessagePack<", "Postcard<1, ", "Protobuf<"] {
        let shape = if codec == "Protobuf<" { "{1: {2: [unknown]}?}" } else { "{a: {b: [unknown]}?}" };
        let form = form(&format!("{codec}{shape}>"));
        assert_eq!(outcome(&read(&form, &form)), Unsure, "{form}");
    }
    let (old, new) = (form("Json<{a: unknown}>"), form("Json<{a: unknown; b: u8?}>"));
    let schema = schema("user:name:{id}:string, value = Json<Name>, ttl = 1h");
    let problem = compare(&schema, &[&old], &new).unwrap();
    assert!(problem.level == Level::Warning && problem.lines.iter().any(|line| line.contains("`a`")), "{problem:?}");
    assert_eq!(compare(&schema, &[&new, &old], &new), None);
}
