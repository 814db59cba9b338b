//! Messages of prost.
#![allow(dead_code, reason = "only their shapes matter")]

use redis_keys_core::value_shape::Form;

use super::super::protobuf::shape_of;

#[derive(prost::Message)]
struct Inner {
    #[prost(uint32, tag = "1")]
    x: u32,
}

#[derive(prost::Oneof)]
enum Choice {
    #[prost(string, tag = "20")]
    Name(String),
    #[prost(uint64, tag = "21")]
    Number(u64),
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
    #[prost(oneof = "Choice", tags = "20, 21")]
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
        "  4: partly {}?",
        "  5: checked<i64, not \"plain integers\">",
        "  6: f64",
        "  8: bytes",
        "  9: i32",
        "  10: [i64]",
        "  11: checked<u32, not \"integers of variable length\">",
        "  12: [partly {}]",
        "  13: text?",
        "  20: text?",
        "  21: u64?",
        "  1500: [text]",
        "  1501: [bytes]",
        "}>",
    ];
    assert_eq!(fields.lines().collect::<Vec<_>>(), expected);
    assert_eq!(notes, ["`.4`: the fields of `inner` are not known", "`.12`: the fields of `inners` are not known"]);
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
