//! The memory that a few bytes can make a reader allocate, counted by the allocator.

#![cfg(all(feature = "json", feature = "messagepack", feature = "postcard", feature = "protobuf", feature = "zstd"))]
#![allow(clippy::unwrap_used, clippy::cast_possible_truncation, reason = "test data")]
#![allow(clippy::large_enum_variant, reason = "it is what is tested")]

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use peak_alloc::PeakAlloc;
use redis_keys::prelude::*;
use redis_keys::redis::{ConnectionLike, RedisResult, Value};
use redis_keys::stored::{
    Json, MAX_DECODED_BYTES, MAX_DECOMPRESSED_BYTES, MessagePack, Postcard, Protobuf, Stored, Zstd,
};
use redis_keys::{Error, batch};
use serde::{Deserialize, Serialize};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The factor by which a growing `Vec` can exceed its elements: twice as many, and the buffer that it is copied from.
const MAX_GROWTH: usize = 3;

/// The memory that the compressed and the decompressed bytes of a value can take.
const INPUT: usize = 2 * MAX_DECOMPRESSED_BYTES;

/// A type that is large in memory, and takes one or two bytes.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Wide {
    texts: (String, String, String, String, String),
    numbers: [u64; 16],
}

/// The same without any bytes in Postcard.
#[derive(Serialize, Deserialize)]
struct SkippedFields {
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
enum UntaggedEnum {
    List(Vec<Wide>),
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "type")]
enum TaggedEnum {
    List { list: Vec<Wide> },
}

#[derive(Serialize, Deserialize)]
struct FlattenedStruct {
    #[serde(flatten)]
    lists: BTreeMap<String, Vec<Wide>>,
}

#[derive(Serialize, Deserialize)]
struct NestedStruct {
    name: String,
    lists: Vec<Vec<Option<Wide>>>,
}

#[derive(Serialize, Deserialize)]
struct BoxedStruct(Box<Wide>);

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

/// Runs something that reads `len` bytes, and checks its peak of memory. Returns its error.
#[track_caller]
fn measure(what: &str, len: usize, most: usize, read: impl FnOnce() -> Result<(), String>) -> Option<String> {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = read();
    let peak = ALLOCATOR.peak_usage() - before;
    assert!(peak <= most, "{what}: {len} bytes take {peak} bytes of memory, {most} at most");
    result.err()
}

/// Decodes these bytes, compressed.
#[track_caller]
fn bomb<F: Stored>(what: &str, bytes: &[u8]) {
    check::<F>(what, bytes, MAX_GROWTH * MAX_DECODED_BYTES + INPUT);
}

/// Decodes a list of maps with this element each: small maps do not grow, so they take no more than they count as.
#[track_caller]
fn maps<F: Stored>(what: &str, element: &str) {
    check::<F>(what, &json("[", element, "]"), MAX_DECODED_BYTES + INPUT);
}

#[track_caller]
fn check<F: Stored>(what: &str, bytes: &[u8], most: usize) {
    assert!(bytes.len() <= MAX_DECOMPRESSED_BYTES);
    let (compressed, len) = (zstd(bytes), bytes.len());
    let read = || Zstd::<F>::decode(compressed).map(drop).map_err(|error| error.to_string());
    let error = measure(what, len, most, read);
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
    let elements = element.repeat(if element.is_empty() { 0 } else { count });
    [vec![1], varint(count), elements].concat()
}

fn varint(mut rest: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while rest >= 0x80 {
        bytes.push((rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes.push(rest as u8);
    bytes
}

fn protobuf(record: &[u8]) -> Vec<u8> {
    record.repeat((MAX_DECOMPRESSED_BYTES - 100) / record.len())
}

/// The tests count the same memory, so there is one.
#[test]
fn a_few_bytes_do_not_fill_the_memory() {
    values();
    replies();
    large_values_are_read();
}

fn values() {
    bomb::<Json<Vec<Wide>>>("objects without fields", &json("[", "{}", "]"));
    bomb::<Json<Vec<Option<Wide>>>>("null", &json("[", "null", "]"));
    bomb::<Json<VecDeque<Box<Wide>>>>("boxes", &json("[", "{}", "]"));
    bomb::<Json<Vec<Option<Box<Wide>>>>>("optional boxes", &json("[", "{}", "]"));
    bomb::<Json<Vec<BoxedStruct>>>("newtypes of boxes", &json("[", "{}", "]"));
    bomb::<Json<Vec<Either>>>("unit variants", &json("[", "\"Small\"", "]"));
    bomb::<Json<NestedStruct>>("lists in a struct", &json(r#"{"name":"","lists":[["#, "null", "]]}"));
    bomb::<Json<Vec<HashMap<String, Wide>>>>("maps", &json("[", r#"{"":{}}"#, "]"));
    bomb::<Json<Vec<BTreeMap<u8, u8>>>>("small maps", &json("[", r#"{"1":1}"#, "]"));
    bomb::<Json<Vec<Vec<Wide>>>>("lists of one", &json("[", "[{}]", "]"));
    bomb::<Json<Vec<Vec<u8>>>>("empty lists", &json("[", "[]", "]"));
    bomb::<Json<Vec<BTreeSet<String>>>>("small sorted sets", &json("[", r#"[""]"#, "]"));
    bomb::<Json<serde_json::Value>>("values", &json("[", "[]", "]"));

    maps::<Json<Vec<BTreeMap<u8, Wide>>>>("sorted maps of wide values", r#"{"1":{}}"#);
    maps::<Json<Vec<BTreeMap<String, Wide>>>>("sorted maps of two wide values", r#"{"":{},"a":{}}"#);
    maps::<Json<Vec<BTreeMap<String, serde_json::Value>>>>("sorted maps of values", r#"{"":0}"#);
    maps::<Json<Vec<HashMap<String, serde_json::Value>>>>("maps of values", r#"{"":0}"#);
    maps::<Json<serde_json::Value>>("objects", r#"{"":0}"#);

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
    bomb::<Postcard<Vec<SkippedFields>>>("no bytes", &postcard(1 << 40, b""));
    bomb::<Postcard<Vec<Vec<SkippedFields>>>>("no bytes in lists", &postcard(MOST / 2, b"\xff\x01"));
    bomb::<Postcard<Vec<Box<SkippedFields>>>>("no bytes in boxes", &postcard(1 << 40, b""));
    bomb::<Postcard<Vec<()>>>("units", &postcard(1 << 40, b""));

    bomb::<Protobuf<List>>("empty messages", &protobuf(b"\x0a\x00"));
    bomb::<Protobuf<List>>("messages of one field", &protobuf(b"\x0a\x02\x28\x01"));
    let inner = protobuf(b"\x0a\x00");
    let len = varint(inner.len());
    bomb::<Protobuf<List>>("empty messages in a message", &[b"\x12", &len[..], &inner].concat());
    bomb::<Protobuf<List>>(
        "and the end is malformed",
        &[b"\x12", &len[..], &inner[..inner.len() - 1], b"\x07"].concat(),
    );
    // Entries without a value, with keys of three bytes.
    let entry = |key: usize| [0x1a, 4, 0x08, key as u8 | 0x80, (key >> 7) as u8 | 0x80, (key >> 14) as u8 + 1];
    let entries: Vec<u8> = (0..1 << 20).flat_map(entry).collect();
    bomb::<Protobuf<List>>("a map", &entries);

    bomb::<Json<UntaggedEnum>>("buffered by untagged", &json("[", "{}", "]"));
    bomb::<Json<TaggedEnum>>("buffered by tag", &json(r#"{"list":["#, "{}", r#"],"type":"List"}"#));
    bomb::<Json<FlattenedStruct>>("buffered by flatten", &json(r#"{"list":["#, "{}", "]}"));
    bomb::<MessagePack<UntaggedEnum>>("buffered by untagged", &message_pack(b"\x80"));
}

type Bomb = Zstd<MessagePack<Vec<Option<Wide>>>>;

#[derive(RedisKey)]
#[redis_key(memory:text:{id}:string, value = Bomb, ttl = 1h)]
struct Text {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(memory:message:{id}:string, value = Zstd<Protobuf<List>>, ttl = 1h)]
struct MessageText {
    id: u32,
}

#[derive(RedisKey)]
#[redis_key(memory:items:list, value = Bomb, ttl = 1h)]
struct Items;

#[derive(RedisKey)]
#[redis_key(memory:plain:list, value = Zstd<String>, ttl = 1h)]
struct Plain;

#[derive(RedisKey)]
#[redis_key(memory:fields:hash, field = u32, value = Bomb, ttl = 1h)]
struct Fields;

#[derive(RedisHash)]
struct Record {
    #[redis_hash(value = Bomb)]
    first: Vec<Option<Wide>>,
    #[redis_hash(value = Zstd<Json<Vec<Wide>>>)]
    second: Vec<Wide>,
    #[redis_hash(value = Zstd<Postcard<Vec<Either>>>)]
    third: Option<Vec<Either>>,
    #[redis_hash(value = Zstd<Protobuf<List>>)]
    fourth: Option<List>,
}

#[derive(RedisKey)]
#[redis_key(memory:record:hash, value = Record, ttl = 1h)]
struct Hash;

#[derive(RedisKey)]
#[redis_key(memory:log:stream, value = Record, ttl = 1h)]
struct Log;

#[derive(RedisKey)]
#[redis_key(memory:numbers:{id}:string, value = Json<Vec<u64>>, ttl = 1h)]
struct Numbers {
    id: u32,
}

/// A connection that replies this to each command.
struct Replies(Value);

impl ConnectionLike for Replies {
    fn req_packed_command(&mut self, _: &[u8]) -> RedisResult<Value> {
        Ok(self.0.clone())
    }

    fn req_packed_commands(&mut self, _: &[u8], _: usize, count: usize) -> RedisResult<Vec<Value>> {
        Ok(vec![self.0.clone(); count])
    }

    fn get_db(&self) -> i64 {
        0
    }

    fn check_connection(&mut self) -> bool {
        true
    }

    fn is_open(&self) -> bool {
        true
    }
}

fn list(values: impl IntoIterator<Item = Vec<u8>>) -> Value {
    Value::Array(values.into_iter().map(Value::BulkString).collect())
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    [&[0xfe], &zstd::bulk::compress(bytes, 3).unwrap()[..]].concat()
}

/// The number of values, each of which takes nearly as much memory as one value may.
const VALUES: usize = 10;

/// A value that takes 60MB.
fn nearly_too_large() -> Vec<u8> {
    let count = 60 * 1024 * 1024 / size_of::<Option<Wide>>();
    zstd(&[b"\xdd", &u32::try_from(count).unwrap().to_be_bytes()[..], &b"\xc0".repeat(count)].concat())
}

#[track_caller]
fn is_rejected<T>(what: &str, reply: Value, read: impl FnOnce(&mut Replies) -> Result<T, Error>) {
    let mut con = Replies(reply);
    let error = measure(what, 0, MAX_GROWTH * MAX_DECODED_BYTES + INPUT, || {
        read(&mut con).map(drop).map_err(|error| error.to_string())
    });
    assert!(error.as_ref().is_some_and(|error| error.contains("memory for one reply")), "{what}: {error:?}");
}

fn replies() {
    let value = nearly_too_large();
    let values = || list(vec![value.clone(); VALUES]);
    assert!(Text { id: 1 }.get().query(&mut Replies(Value::BulkString(value.clone()))).unwrap().is_some());
    is_rejected("get_many", values(), |con| Text::get_many((0..10).map(|id| Text { id })).query(con));
    is_rejected("lrange", values(), |con| Items.lrange(0..9).query(con));
    is_rejected("lpages", values(), |con| Items.lpages(500).iter(con).collect::<Result<Vec<_>, _>>());
    is_rejected("a collected list", values(), |con| Items.lpages(500).query(con));
    is_rejected("hmget", values(), |con| Fields.hmget(0..10).query(con));
    is_rejected("a batch", Value::BulkString(value.clone()), |con| {
        batch((0..10).map(|id| Text { id }.get()).collect::<Vec<_>>()).query(con)
    });
    let text = zstd(&vec![b'a'; MAX_DECOMPRESSED_BYTES]);
    is_rejected("compressed text", list(vec![text; VALUES]), |con| Plain.lrange(0..9).query(con));

    // Empty messages, which count 55MB.
    let message = zstd(&b"\x0a\x00".repeat(55 * 1024 * 1024 / 128));
    is_rejected("Protobuf", list(vec![message.clone(); VALUES]), |con| {
        MessageText::get_many((0..10).map(|id| MessageText { id })).query(con)
    });

    let wides = zstd(format!("[{}{{}}]", "{},".repeat(200_000)).as_bytes());
    let eithers = zstd(&postcard(200_000, b"\0"));
    let record = [value, wides, eithers, message];
    is_rejected("a record", list(record.clone()), |con| Hash.load().query(con));
    let names = ["first", "second", "third", "fourth"].map(|name| name.as_bytes().to_vec());
    let fields = names.into_iter().zip(record).flat_map(|(name, value)| [name, value]);
    let entry = Value::Array(vec![Value::BulkString(b"1-1".to_vec()), list(fields)]);
    is_rejected("a stream", Value::Array(vec![entry; 3]), |con| {
        let entries = Log.xrange(.., 5).query(con)?;
        entries.into_iter().map(|entry| entry.value).collect::<Result<Vec<_>, _>>()
    });
}

/// Values that take more than 64MB together because many bytes were received.
fn large_values_are_read() {
    let json = format!("[{}1]", "1,".repeat(500_000)).into_bytes();
    let values = Numbers::get_many((0..40).map(|id| Numbers { id })).query(&mut Replies(list(vec![json; 40]))).unwrap();
    assert_eq!(values.iter().flatten().map(Vec::len).sum::<usize>(), 40 * 500_001);
}
