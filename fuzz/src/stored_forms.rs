//! Stored forms: a value that was read is written as bytes that are read as the same value.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Once;

use redis::{Value, parse_redis_value};
use redis_keys::prelude::*;
use redis_keys::secret::{self, Keyring};
use redis_keys::stored::{
    Gzip, Json, Lz4, MAX_DECODED_BYTES, MAX_DECOMPRESSED_BYTES, MessagePack, Postcard, Protobuf, Snappy, Stored, Zstd,
};
use serde::{Deserialize, Serialize};

use super::MEMORY;
use super::replies::Con;

/// The type of the golden files.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Profile {
    name: String,
    age: u8,
    balance: i64,
    rate: f64,
    email: Option<String>,
    tags: Vec<String>,
    seen: BTreeMap<u16, bool>,
    role: Role,
    badge: Role,
    place: Role,
    unit: (),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Role {
    Guest,
    Member(u32),
    Owner { since: u64, key: [u8; 4] },
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Tree {
    Leaf(Option<f32>, char),
    Pair(Box<Tree>, Box<Tree>),
    List { nodes: Vec<Tree>, sum: i128 },
    Named(BTreeMap<String, Tree>),
}

/// A struct that serde buffers before it reads the fields, because of `flatten`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Buffered {
    #[serde(default)]
    id: u64,
    event: Option<Event>,
    #[serde(flatten)]
    rest: BTreeMap<String, Either>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(tag = "kind")]
enum Event {
    Opened,
    Moved { x: i32, y: i32 },
    Named(BTreeMap<String, u8>),
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(String),
    List(Vec<Either>),
}

#[derive(Clone, PartialEq, prost::Message)]
struct Message {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(sint64, tag = "2")]
    balance: i64,
    #[prost(double, tag = "3")]
    rate: f64,
    #[prost(string, optional, tag = "4")]
    email: Option<String>,
    #[prost(string, repeated, tag = "5")]
    tags: Vec<String>,
    #[prost(bytes = "vec", tag = "7")]
    key: Vec<u8>,
    #[prost(uint32, repeated, tag = "16")]
    numbers: Vec<u32>,
    #[prost(message, repeated, tag = "2000")]
    friends: Vec<Message>,
    #[prost(message, optional, boxed, tag = "2001")]
    parent: Option<Box<Message>>,
    #[prost(btree_map = "string, message", tag = "8")]
    named: BTreeMap<String, Message>,
}

/// The form that the first byte of an input names. New ones belong to the end.
const FORMS: &[fn(&[u8])] = &[
    plain::<Json<Profile>>,
    plain::<MessagePack<Profile>>,
    plain::<Postcard<Profile>>,
    plain::<Protobuf<Message>>,
    compressed::<Gzip<String>>,
    compressed::<Lz4<Json<Vec<Profile>>>>,
    compressed::<Snappy<String>>,
    compressed::<Zstd<MessagePack<Vec<Profile>>>>,
    encrypted,
    plain::<Json<Buffered>>,
    plain::<MessagePack<Buffered>>,
    plain::<u8>,
    plain::<i64>,
    plain::<u128>,
    plain::<f64>,
    plain::<f32>,
    plain::<bool>,
    plain::<String>,
    plain::<Vec<u8>>,
    plain::<Postcard<Tree>>,
    compressed::<Zstd<Json<Vec<Vec<u8>>>>>,
    compressed::<Zstd<Vec<u8>>>,
    compressed::<Lz4<String>>,
    compressed::<Zstd<Protobuf<Message>>>,
    plain::<Json<Tree>>,
    plain::<MessagePack<Tree>>,
];

/// Reads a value of the form that the first byte names.
pub fn stored(bytes: &[u8]) {
    let Some((form, value)) = bytes.split_first() else { return };
    FORMS[usize::from(*form) % FORMS.len()](value);
}

/// Decoding takes up to some hundred bytes for each byte of a value.
fn plain<F: Stored<Output: Borrow<F::Input> + PartialEq + Debug>>(bytes: &[u8]) {
    round_trip::<F>(bytes, (bytes.len() * 400 + 4 * 1024 * 1024).min(3 * MAX_DECODED_BYTES));
}

/// A few bytes can decompress to the limit, and be decoded to the next one.
fn compressed<F: Stored<Output: Borrow<F::Input> + PartialEq + Debug>>(bytes: &[u8]) {
    round_trip::<F>(bytes, 2 * MAX_DECOMPRESSED_BYTES + 3 * MAX_DECODED_BYTES);
}

fn round_trip<F: Stored<Output: Borrow<F::Input> + PartialEq + Debug>>(bytes: &[u8], most_memory: usize) {
    let bytes = bytes.to_vec();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let decoded = F::decode(bytes);
    let taken = MEMORY.peak_usage().saturating_sub(before);
    assert!(taken <= most_memory, "decoding took {taken} bytes");
    let Ok(value) = decoded else { return };
    let mut written = Vec::new();
    let encoded = F::encode(value.borrow(), &mut written);
    assert_eq!(encoded, Ok(()), "a value that was read cannot be written");
    must_be_equal(&F::decode(written), &Ok(value));
}

/// NaN is no other value.
fn must_be_equal<T: PartialEq + Debug>(one: &T, other: &T) {
    assert!(one == other || format!("{one:?}") == format!("{other:?}"), "{one:?} is not {other:?}");
}

macro_rules! secrets {
    ($($name:ident $form:ty;)*) => {$(
        #[derive(RedisKey)]
        #[redis_key(fuzz:secret:{id}:string, value = $form, ttl = 1h, allow(overlap, reason = "what one encrypts, the others read"))]
        struct $name { id: u32 }
    )*};
}

secrets! {
    SecretBytes Secret<Vec<u8>>;
    SecretJson Secret<Json<Profile>>;
    SecretZstd Secret<Zstd<Postcard<Profile>>>;
}

/// Reads encrypted bytes, and bytes that are encrypted before they are read.
fn encrypted(bytes: &[u8]) {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let keys = Keyring::new([(*b"fuzz", [7; 32]), (*b"k001", [3; 32])]);
        assert!(secret::install(keys).is_ok(), "no keys are installed");
    });
    let set = SecretBytes { id: 1 }.set(bytes).packed().unwrap_or_default();
    let argument = match parse_redis_value(&set) {
        Ok(Value::Array(arguments)) => arguments.into_iter().nth(2),
        _ => None,
    };
    let Some(Value::BulkString(sealed)) = argument else { return };
    let reply = |bytes: &[u8]| Con::new([Value::BulkString(bytes.to_vec())]);
    let opened = SecretBytes { id: 1 }.get().query(&mut reply(&sealed).server);
    assert!(opened.is_ok_and(|opened| opened.as_deref() == Some(bytes)), "what was encrypted is decrypted");
    let moved = SecretBytes { id: 2 }.get().query(&mut reply(&sealed).server);
    assert!(moved.is_err(), "a value is bound to its key");
    for bytes in [bytes, &sealed] {
        let _ = SecretBytes { id: 1 }.get().query(&mut reply(bytes).server);
        let json = SecretJson { id: 1 }.get().query(&mut reply(bytes).server);
        if let Ok(Some(value)) = json {
            assert!(SecretJson { id: 1 }.set(&value).packed().is_ok(), "a value that was read cannot be written");
        }
        let _ = SecretZstd { id: 1 }.get().query(&mut reply(bytes).server);
    }
}
