//! How much memory a few bytes can make a reader allocate, counted by the allocator.

#![cfg(all(feature = "json", feature = "messagepack", feature = "postcard", feature = "protobuf", feature = "zstd"))]
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "test data")]
#![allow(clippy::large_enum_variant, reason = "it is what is tested")]

use std::collections::{BTreeMap, HashMap, VecDeque};

use peak_alloc::PeakAlloc;
use redis_keys::stored::{
    Json, MAX_DECODED_BYTES, MAX_DECOMPRESSED_BYTES, MessagePack, Postcard, Protobuf, Stored, Zstd,
};
use serde::{Deserialize, Serialize};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What a `Vec` that grows can take above its elements: twice as many, and the buffer that it is copied from.
const MAX_GROWTH: usize = 3;

/// A type that is large in memory, and takes one or two bytes.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Wide {
    texts: (String, String, String, String, String),
    numbers: [u64; 16],
}

/// The same without any bytes in Postcard.
#[derive(Serialize, Deserialize)]
struct Skipped {
    #[serde(skip)]
    _numbers: [u64; 16],
}

#[derive(Serialize, Deserialize)]
enum Either {
    Small,
    Large(Wide),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    List(Vec<Wide>),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type")]
enum Tagged {
    List { list: Vec<Wide> },
}

#[derive(Serialize, Deserialize)]
struct Flattened {
    #[serde(flatten)]
    lists: BTreeMap<String, Vec<Wide>>,
}

#[derive(Serialize, Deserialize)]
struct Nested {
    name: String,
    lists: Vec<Vec<Option<Wide>>>,
}

#[derive(Serialize, Deserialize)]
struct Boxed(Box<Wide>);

#[derive(prost::Message)]
struct List {
    #[prost(message, repeated, tag = "1")]
    elements: Vec<WideMessage>,
    #[prost(message, optional, boxed, tag = "2")]
    inner: Option<Box<List>>,
    #[prost(map = "uint32, message", tag = "3")]
    map: HashMap<u32, WideMessage>,
}

#[derive(Clone, PartialEq, prost::Message)]
struct WideMessage {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    street: String,
    #[prost(string, tag = "3")]
    town: String,
    #[prost(string, tag = "4")]
    country: String,
    #[prost(uint32, tag = "5")]
    number: u32,
}

/// Decodes, and checks how much memory it took at once. Returns the error, if it is one.
#[track_caller]
fn peak<F: Stored>(what: &str, bytes: Vec<u8>) -> Option<String> {
    let len = bytes.len();
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = F::decode(bytes).map(drop).map_err(|error| error.to_string());
    let peak = ALLOCATOR.peak_usage() - before;
    let most = MAX_GROWTH * MAX_DECODED_BYTES + 2 * MAX_DECOMPRESSED_BYTES;
    assert!(peak <= most, "{what}: {len} bytes take {peak} bytes of memory, {most} at most");
    result.err()
}

/// Decodes these bytes, compressed.
#[track_caller]
fn bomb<F: Stored>(what: &str, bytes: &[u8]) {
    assert!(bytes.len() <= MAX_DECOMPRESSED_BYTES);
    let compressed = [&[0xfe], &zstd::bulk::compress(bytes, 3).unwrap()[..]].concat();
    let error = peak::<Zstd<F>>(what, compressed);
    assert!(error.is_none_or(|error| error.contains("when decoded")), "{what}");
}

/// Enough bytes to exceed the limit, and few enough to be fast.
const MOST: usize = MAX_DECOMPRESSED_BYTES / 4 - 100;

/// `open`, as many of `element` as there is room for, `close`.
fn json(open: &str, element: &str, close: &str) -> Vec<u8> {
    let count = MOST / (element.len() + 1);
    format!("{open}{}{element}{close}", format!("{element},").repeat(count - 1)).into_bytes()
}

/// A MessagePack array of elements.
fn message_pack(element: &[u8]) -> Vec<u8> {
    let count = MOST / element.len();
    [b"\xdd", &u32::try_from(count).unwrap().to_be_bytes()[..], &element.repeat(count)].concat()
}

/// A MessagePack map with numbers as keys.
fn message_pack_map(value: &[u8]) -> Vec<u8> {
    let count = u32::try_from(MOST / (value.len() + 5)).unwrap();
    let entries = (0..count).flat_map(|key| [&[0xce], &key.to_be_bytes()[..], value].concat());
    [0xdf].into_iter().chain(count.to_be_bytes()).chain(entries).collect()
}

/// A Postcard list of elements.
fn postcard(count: usize, element: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = count;
    while rest >= 0x80 {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes.extend(element.repeat(if element.is_empty() { 0 } else { count }));
    bytes
}

fn protobuf(record: &[u8]) -> Vec<u8> {
    record.repeat((MAX_DECOMPRESSED_BYTES - 100) / record.len())
}

#[test]
fn a_few_bytes_do_not_fill_the_memory() {
    bomb::<Json<Vec<Wide>>>("objects without fields", &json("[", "{}", "]"));
    bomb::<Json<Vec<Option<Wide>>>>("null", &json("[", "null", "]"));
    bomb::<Json<VecDeque<Box<Wide>>>>("boxes", &json("[", "{}", "]"));
    bomb::<Json<Vec<Option<Box<Wide>>>>>("optional boxes", &json("[", "{}", "]"));
    bomb::<Json<Vec<Boxed>>>("newtypes of boxes", &json("[", "{}", "]"));
    bomb::<Json<Vec<Either>>>("unit variants", &json("[", "\"Small\"", "]"));
    bomb::<Json<Nested>>("lists in a struct", &json(r#"{"name":"","lists":[["#, "null", "]]}"));
    bomb::<Json<Vec<HashMap<String, Wide>>>>("maps", &json("[", r#"{"":{}}"#, "]"));
    bomb::<Json<Vec<BTreeMap<u8, u8>>>>("small maps", &json("[", r#"{"1":1}"#, "]"));
    bomb::<Json<Vec<Vec<Wide>>>>("lists of one", &json("[", "[{}]", "]"));
    bomb::<Json<Vec<Vec<u8>>>>("empty lists", &json("[", "[]", "]"));
    bomb::<Json<serde_json::Value>>("values", &json("[", "[]", "]"));

    bomb::<MessagePack<Vec<Option<Wide>>>>("nil", &message_pack(b"\xc0"));
    bomb::<MessagePack<Vec<Wide>>>("empty maps", &message_pack(b"\x80"));
    bomb::<MessagePack<Vec<Box<Wide>>>>("boxes", &message_pack(b"\x80"));
    bomb::<MessagePack<Vec<String>>>("empty text", &message_pack(b"\xa0"));
    bomb::<MessagePack<Vec<Either>>>("unit variants", &message_pack(b"\xa5Small"));
    bomb::<MessagePack<HashMap<u32, Option<Wide>>>>("a map", &message_pack_map(b"\xc0"));
    bomb::<MessagePack<BTreeMap<u32, Wide>>>("a sorted map", &message_pack_map(b"\x80"));
    bomb::<MessagePack<Vec<HashMap<u8, Wide>>>>("maps", &message_pack(b"\x81\x01\x80"));

    bomb::<Postcard<Vec<Option<Wide>>>>("none", &postcard(MOST, b"\0"));
    bomb::<Postcard<Vec<Either>>>("unit variants", &postcard(MOST, b"\0"));
    bomb::<Postcard<Vec<Skipped>>>("no bytes", &postcard(1 << 40, b""));
    bomb::<Postcard<Vec<Vec<Skipped>>>>("no bytes in lists", &postcard(MOST / 2, b"\xff\x01"));
    bomb::<Postcard<Vec<Box<Skipped>>>>("no bytes in boxes", &postcard(1 << 40, b""));
    bomb::<Postcard<Vec<()>>>("units", &postcard(1 << 40, b""));

    bomb::<Protobuf<List>>("empty messages", &protobuf(b"\x0a\x00"));
    bomb::<Protobuf<List>>("messages of one field", &protobuf(b"\x0a\x02\x28\x01"));
    let inner = protobuf(b"\x0a\x00");
    let len = postcard(inner.len(), b"");
    bomb::<Protobuf<List>>("empty messages in a message", &[b"\x12", &len[..], &inner].concat());
    bomb::<Protobuf<List>>(
        "and the end is malformed",
        &[b"\x12", &len[..], &inner[..inner.len() - 1], b"\x07"].concat(),
    );
    // Entries without a value, with keys of three bytes.
    let entry = |key: usize| [0x1a, 4, 0x08, key as u8 | 0x80, (key >> 7) as u8 | 0x80, (key >> 14) as u8 + 1];
    let entries: Vec<u8> = (0..1 << 20).flat_map(entry).collect();
    bomb::<Protobuf<List>>("a map", &entries);

    bomb::<Json<Untagged>>("buffered by untagged", &json("[", "{}", "]"));
    bomb::<Json<Tagged>>("buffered by tag", &json(r#"{"list":["#, "{}", r#"],"type":"List"}"#));
    bomb::<Json<Flattened>>("buffered by flatten", &json(r#"{"list":["#, "{}", "]}"));
    bomb::<MessagePack<Untagged>>("buffered by untagged", &message_pack(b"\x80"));
}
