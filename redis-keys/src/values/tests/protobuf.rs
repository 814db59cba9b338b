//! Messages of prost.
#![allow(dead_code, reason = "only their shapes matter")]

use redis_keys_core::value_shape::Form;

use super::super::protobuf::shape_of;

#[derive(PartialEq, prost::Message)]
struct Inner {
    #[prost(uint32, tag = "1")]
    x: u32,
    #[prost(message, optional, tag = "2")]
    digest: Option<Digest>,
    #[prost(string, optional, tag = "3")]
    note: Option<String>,
}

#[derive(PartialEq, prost::Message)]
struct Digest {
    #[prost(bytes = "vec", repeated, tag = "7")]
    parts: Vec<Vec<u8>>,
    #[prost(oneof = "Choice", tags = "20, 21, 22")]
    choice: Option<Choice>,
}

#[derive(PartialEq, prost::Message)]
struct Nothing {}

#[derive(PartialEq, prost::Oneof)]
enum Choice {
    #[prost(string, tag = "20")]
    Name(String),
    #[prost(uint64, tag = "21")]
    Number(u64),
    #[prost(message, tag = "22")]
    Nothing(Nothing),
}

#[derive(prost::Message)]
struct Profile {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(uint32, tag = "2")]
    count: u32,
    #[prost(bool, tag = "3")]
    flag: bool,
    #[prost(message, optional, tag = "4")]
    inner: Option<Inner>,
    #[prost(sint64, tag = "5")]
    offset: i64,
    #[prost(double, tag = "6")]
    ratio: f64,
    #[prost(bytes = "vec", tag = "8")]
    raw: Vec<u8>,
    #[prost(int32, tag = "9")]
    small: i32,
    #[prost(int64, repeated, tag = "10")]
    numbers: Vec<i64>,
    #[prost(fixed32, tag = "11")]
    fixed: u32,
    #[prost(message, repeated, tag = "12")]
    inners: Vec<Inner>,
    #[prost(string, optional, tag = "13")]
    nick: Option<String>,
    #[prost(oneof = "Choice", tags = "20, 21, 22")]
    choice: Option<Choice>,
    #[prost(string, repeated, tag = "1500")]
    tags: Vec<String>,
    #[prost(bytes = "vec", repeated, tag = "1501")]
    raws: Vec<Vec<u8>>,
}

#[test]
fn the_numbers_of_a_message_with_their_types() {
    let mut notes = Vec::new();
    let form = Form::Protobuf(shape_of::<Profile>(&mut notes));
    assert_eq!(form.to_string().parse(), Ok(form.clone()));
    let fields = form.to_string().replace(" (optional, not always written)", "").replace(" (not always written)", "");
    let expected = [
        "Protobuf<{",
        "  1: text",
        "  2: u32",
        "  3: bool",
        "  4: {",
        "    1: u32",
        "    2: {",
        "      7: [bytes]",
        "      20: text?",
        "      21: u64?",
        "      22: {}?",
        "    }?",
        "    3: text?",
        "  }?",
        "  5: checked<i64, not \"plain integers\">",
        "  6: f64",
        "  8: bytes",
        "  9: i32",
        "  10: [i64]",
        "  11: checked<u32, not \"integers of variable length\">",
        "  12: [{",
        "    1: u32",
        "    2: {",
        "      7: [bytes]",
        "      20: text?",
        "      21: u64?",
        "      22: {}?",
        "    }?",
        "    3: text?",
        "  }]",
        "  13: text?",
        "  20: text?",
        "  21: u64?",
        "  22: {}?",
        "  1500: [text]",
        "  1501: [bytes]",
        "}>",
    ];
    assert_eq!(fields.lines().collect::<Vec<_>>(), expected);
    assert_eq!(notes, [] as [String; 0]);
}

#[test]
fn maps_and_messages_inside_themselves_are_noted() {
    #[derive(prost::Message)]
    struct Tree {
        #[prost(message, repeated, tag = "1")]
        trees: Vec<Tree>,
        #[prost(message, optional, tag = "2")]
        leaf: Option<Leaf>,
        #[prost(map = "string, message", tag = "3")]
        by_name: std::collections::HashMap<String, Inner>,
    }
    #[derive(prost::Message)]
    struct Leaf {
        #[prost(message, optional, boxed, tag = "5")]
        tree: Option<Box<Tree>>,
        #[prost(sint32, tag = "6")]
        size: i32,
    }
    let mut notes = Vec::new();
    let shape = shape_of::<Tree>(&mut notes).to_string();
    let shape = shape.replace(" (optional, not always written)", "").replace(" (not always written)", "");
    assert_eq!(
        shape,
        "{ 1: [partly {}], 2: { 5: partly {}?, 6: checked<i32, not \"plain integers\"> }?, 3: partly {} }"
    );
    let expected = [
        "`.1`: the fields of `trees` are not known",
        "`.2.5`: the fields of `tree` are not known",
        "`.3`: the fields of `by_name` are not known",
    ];
    assert_eq!(notes, expected);
}

#[test]
fn a_number_that_is_not_found_is_noted() {
    #[derive(prost::Message)]
    struct Far {
        #[prost(uint32, tag = "70000")]
        far: u32,
    }
    let mut notes = Vec::new();
    assert_eq!(shape_of::<Far>(&mut notes).to_string(), "partly {}");
    assert_eq!(notes, ["`.`: the message has fields that were not found"]);
}
