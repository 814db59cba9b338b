//! `Json`, `MessagePack`, `Postcard` and `Protobuf`.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{decode_error, encode, encode_error};
use crate::stored::{Json, MessagePack, Postcard, Protobuf, Stored};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Profile {
    name: String,
    age: u8,
}

fn ada() -> Profile {
    Profile { name: "Ada".to_owned(), age: 36 }
}

/// `Profile` some versions later.
#[derive(Deserialize, PartialEq, Debug)]
#[serde(default)]
#[derive(Default, Serialize)]
struct LaterProfile {
    age: u16,
    email: Option<String>,
    name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Message {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(uint32, tag = "2")]
    age: u32,
    #[prost(message, optional, boxed, tag = "3")]
    parent: Option<Box<Message>>,
}

fn message() -> Message {
    Message { name: "Ada".to_owned(), age: 36, parent: None }
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Tree {
    Leaf,
    Node(Box<Tree>),
}

fn tree(depth: usize) -> Tree {
    (0..depth).fold(Tree::Leaf, |inner, _| Tree::Node(Box::new(inner)))
}

#[test]
fn values_have_these_bytes() {
    assert_eq!(encode::<Json<Profile>>(&ada()), br#"{"name":"Ada","age":36}"#);
    assert_eq!(encode::<MessagePack<Profile>>(&ada()), b"\x82\xa4name\xa3Ada\xa3age\x24");
    assert_eq!(encode::<Postcard<Profile>>(&ada()), b"\x01\x03Ada\x24");
    assert_eq!(encode::<Protobuf<Message>>(&message()), b"\x0a\x03Ada\x10\x24");
    assert_eq!(Protobuf::<Message>::size_hint(&message()), b"\x0a\x03Ada\x10\x24".len());
}

#[test]
fn fields_can_be_reordered_added_and_removed() {
    assert_eq!(Json::<Profile>::decode(br#"{"age":36, "name":"Ada"}"#.to_vec()).unwrap(), ada());
    let later = LaterProfile { age: 36, email: None, name: "Ada".to_owned() };
    let stored = encode::<MessagePack<Profile>>(&ada());
    assert_eq!(MessagePack::<LaterProfile>::decode(stored).unwrap(), later);
    let stored = encode::<MessagePack<LaterProfile>>(&later);
    assert_eq!(MessagePack::<Profile>::decode(stored).unwrap(), ada());
    assert_eq!(Protobuf::<Message>::decode(Vec::new()).unwrap(), Message::default());
    assert_eq!(Protobuf::<Message>::decode(b"\x0a\x03Ada\x10\x24\x48\x01".to_vec()).unwrap(), message());
}

/// Bytes behind a value have no limits of their own.
#[test]
fn deeply_nested_bytes_after_a_value_are_not_read() {
    for container in [b"\x81", b"\x91"] {
        let bytes = [&b"\x07"[..], &container.repeat(100_000)].concat();
        assert_eq!(decode_error::<MessagePack<u8>>(&bytes), "trailing bytes after the MessagePack value");
    }
}

#[test]
fn errors_say_where_and_never_what() {
    for (bytes, error) in [
        (r#"{"name":"Ada","age":"secret"}"#, "JSON does not match the type at line 1, column 28"),
        (r#"{"name":"Ada"}"#, "JSON does not match the type at line 1, column 14"),
        ("{\"name\":\n\"Ada\"", "JSON is incomplete at line 2, column 5"),
        ("secret", "not JSON at line 1, column 1"),
    ] {
        assert_eq!(decode_error::<Json<Profile>>(bytes), error);
    }
    for (bytes, error) in [
        (&b"\x82\xa4name\xa3Ada\xa3age\x24\x00"[..], "trailing bytes after the MessagePack value"),
        (b"\x82\xa4name\xa3Ada\xa3age", "MessagePack is incomplete"),
        (b"\xa6secret", "MessagePack does not match the type"),
        (b"\xc1", "MessagePack does not match the type"),
        (b"\x82\xa4name\xa3Ada\xa3age\xcd\x01\x00", "MessagePack does not match the type"),
    ] {
        assert_eq!(decode_error::<MessagePack<Profile>>(bytes), error);
    }
    for (bytes, error) in [
        (&b"\x01\x03Ada\x24secret"[..], "trailing bytes after the Postcard value at byte 7"),
        (b"\x01\x03\xff\xff\xff\x24", "Postcard does not match the type at byte 5"),
        (b"\x02\x03Ada\x24", "stored in another version of `Postcard<_, VERSION>`"),
    ] {
        assert_eq!(decode_error::<Postcard<Profile>>(bytes), error);
    }
    assert_eq!(decode_error::<Postcard<bool>>([1, 7]), "Postcard does not match the type at byte 2");
    for bytes in [&b"secret"[..], b"\x0a\x03Ad", b"\x0a\x03Ada\x10\x24\xff", b"\x0a\xff\xff\xff\xff\x0fA"] {
        assert_eq!(decode_error::<Protobuf<Message>>(bytes), "not a valid Protobuf encoding of this message");
    }
}

#[test]
fn truncated_values_are_incomplete() {
    let (message_pack, postcard) = (encode::<MessagePack<Profile>>(&ada()), encode::<Postcard<Profile>>(&ada()));
    for end in 0..message_pack.len() {
        assert_eq!(decode_error::<MessagePack<Profile>>(&message_pack[..end]), "MessagePack is incomplete");
    }
    for end in 0..postcard.len() {
        let error = decode_error::<Postcard<Profile>>(&postcard[..end]);
        assert!(error.starts_with("Postcard is incomplete at byte"), "{error}");
    }
}

#[derive(Serialize, Deserialize, Debug)]
struct FlattenedStruct {
    #[serde(flatten)]
    fields: BTreeMap<String, u8>,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(untagged)]
enum UntaggedEnum {
    Number(u8),
    Text(String),
}

#[test]
fn values_without_a_representation_are_rejected() {
    let map = HashMap::from([(Some(1), 2), (None, 3)]);
    assert_eq!(encode_error::<Json<HashMap<Option<u8>, u8>>>(&map), "not representable as JSON");
    let borrowed = RefCell::new(1);
    let _guard = borrowed.borrow_mut();
    assert_eq!(encode_error::<MessagePack<RefCell<u8>>>(&borrowed), "not representable as MessagePack");
    let flattened = FlattenedStruct { fields: BTreeMap::from([("a".to_owned(), 1)]) };
    assert_eq!(encode_error::<Postcard<FlattenedStruct>>(&flattened), "not representable as Postcard");
    let error = "Postcard cannot read types that need a self-describing format";
    assert!(decode_error::<Postcard<UntaggedEnum>>([1, 1]).starts_with(error));
}

/// A type whose `Deserialize` recurses into `Some` without reading anything.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Endless(Option<Box<Endless>>);

/// A type that skips the whole value.
#[derive(Debug)]
struct SkippedValue;

impl Serialize for SkippedValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de> Deserialize<'de> for SkippedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

#[test]
fn depth_is_bounded() {
    assert_eq!(MessagePack::<Tree>::decode(encode::<MessagePack<Tree>>(&tree(100))).unwrap(), tree(100));
    assert_eq!(Postcard::<Tree>::decode(encode::<Postcard<Tree>>(&tree(100))).unwrap(), tree(100));
    let nested = |depth| (0..depth).fold(message(), |inner, _| Message { parent: Some(Box::new(inner)), ..message() });
    assert_eq!(Protobuf::<Message>::decode(encode::<Protobuf<Message>>(&nested(90))).unwrap(), nested(90));

    let json = decode_error::<Json<serde_json::Value>>("[".repeat(1000));
    assert_eq!(json, "nested too deeply at line 1, column 128");
    assert_eq!(decode_error::<MessagePack<Tree>>(b"\x81\xa4Node".repeat(200_000)), "nested too deeply");
    assert_eq!(decode_error::<MessagePack<Endless>>([1]), "nested too deeply");
    assert_eq!(decode_error::<MessagePack<SkippedValue>>(vec![0x91; 100_000]), "nested too deeply");
    assert!(decode_error::<Postcard<Tree>>(vec![1; 1_000_000]).starts_with("nested too deeply"));
    let protobuf = decode_error::<Protobuf<Message>>(prost::Message::encode_to_vec(&nested(200)));
    assert_eq!(protobuf, "not a valid Protobuf encoding of this message");
}

/// A type that allocates for the claimed length, and is its capacity.
#[derive(Debug)]
struct PreallocatedBytes(usize);

impl Serialize for PreallocatedBytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(0u8, 0u8)])
    }
}

impl<'de> Deserialize<'de> for PreallocatedBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = PreallocatedBytes;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: de::MapAccess<'de>>(self, mut entries: A) -> Result<PreallocatedBytes, A::Error> {
                let capacity = Vec::<(u8, u8)>::with_capacity(entries.size_hint().unwrap_or(0)).capacity();
                while entries.next_entry::<u8, u8>()?.is_some() {}
                Ok(PreallocatedBytes(capacity))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

#[test]
#[allow(clippy::zero_sized_map_values, reason = "the elements take no bytes on purpose")]
fn claimed_lengths_are_not_trusted() {
    for error in [
        decode_error::<MessagePack<Vec<u64>>>(b"\xdd\xff\xff\xff\xff\x01"),
        decode_error::<MessagePack<Vec<[u64; 32]>>>(b"\xdd\xff\xff\xff\xff\xdc\x00\x20\x01"),
        decode_error::<MessagePack<BTreeMap<u8, u8>>>(b"\xdf\xff\xff\xff\xff\x01"),
        decode_error::<MessagePack<String>>(b"\xdb\xff\xff\xff\xffa"),
    ] {
        assert_eq!(error, "MessagePack is incomplete");
    }
    let most = b"\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    for error in [
        decode_error::<Postcard<Vec<u64>>>(most),
        decode_error::<Postcard<Vec<[u64; 32]>>>(most),
        decode_error::<Postcard<BTreeMap<u8, u8>>>(most),
        decode_error::<Postcard<String>>(most),
        decode_error::<Postcard<PreallocatedBytes>>(most),
    ] {
        assert_eq!(error, "Postcard is incomplete at byte 11");
    }
    assert_eq!(decode_error::<Postcard<Vec<()>>>(most), "exceeds 64MB when decoded at byte 11");
    assert_eq!(decode_error::<Postcard<BTreeMap<(), ()>>>(most), "exceeds 64MB when decoded at byte 11");
}

#[test]
fn plausible_lengths_are_passed_on() {
    let stored = encode::<Postcard<Vec<()>>>(&vec![(); 100_000]);
    assert_eq!(Postcard::<Vec<()>>::decode(stored).unwrap().len(), 100_000);
    let stored = encode::<Postcard<PreallocatedBytes>>(&PreallocatedBytes(0));
    assert_eq!(Postcard::<PreallocatedBytes>::decode(stored).unwrap().0, 1);
}

#[test]
fn values_of_another_version_are_not_read() {
    let [first, second] = [encode::<Postcard<Profile>>(&ada()), encode::<Postcard<Profile, 2>>(&ada())];
    assert_eq!((first[0], second[0], &first[1..]), (1, 2, &second[1..]));
    assert_eq!(Postcard::<Profile, 2>::decode(second.clone()).unwrap(), ada());
    let error = "stored in another version of `Postcard<_, VERSION>`";
    assert_eq!(decode_error::<Postcard<Profile>>(second), error);
    assert_eq!(decode_error::<Postcard<Profile, 2>>(first), error);
}
