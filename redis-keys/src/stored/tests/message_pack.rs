//! `MessagePack<P>`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de::IgnoredAny};

use super::{Stored as _, bytes, told};
use crate::stored::MessagePack;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Profile {
    name: String,
    age: u8,
}

/// The same, some versions later.
#[derive(Deserialize, PartialEq, Debug)]
#[serde(default)]
#[derive(Default, Serialize)]
struct LaterProfile {
    age: u16,
    email: Option<String>,
    name: String,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Tree {
    Leaf,
    Node(Box<Tree>),
}

/// Its reader asks for `Some` without end.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Endless(Option<Box<Endless>>);

fn ada() -> Profile {
    Profile { name: "Ada".to_owned(), age: 36 }
}

#[test]
fn structs_are_maps_with_names() {
    assert_eq!(bytes::<MessagePack<Profile>>(&ada()).unwrap(), b"\x82\xa4name\xa3Ada\xa3age\x24");
}

#[test]
fn fields_can_move_and_come_and_go() {
    let stored = bytes::<MessagePack<Profile>>(&ada()).unwrap();
    let later = LaterProfile { age: 36, email: None, name: "Ada".to_owned() };
    assert_eq!(MessagePack::<LaterProfile>::decode(stored).unwrap(), later);
    let stored = bytes::<MessagePack<LaterProfile>>(&later).unwrap();
    assert_eq!(MessagePack::<Profile>::decode(stored).unwrap(), ada());
}

#[test]
fn errors_say_how_and_never_what() {
    let stored = bytes::<MessagePack<Profile>>(&ada()).unwrap();
    for end in 0..stored.len() {
        assert_eq!(told::<MessagePack<Profile>>(&stored[..end]), "it is MessagePack that ends too early");
    }
    assert_eq!(told::<MessagePack<Profile>>([&stored[..], &[0]].concat()), "there is more behind the MessagePack");
    assert_eq!(told::<MessagePack<Profile>>(*b"\xa6secret"), "it is not MessagePack of this shape");
    assert_eq!(told::<MessagePack<Profile>>([0xc1]), "it is not MessagePack of this shape");
    assert_eq!(told::<MessagePack<u8>>(*b"\xcd\x01\x00"), "it is not MessagePack of this shape");
}

#[test]
fn what_it_has_no_form_for() {
    use std::cell::RefCell;
    let borrowed = RefCell::new(1);
    let _guard = borrowed.borrow_mut();
    assert_eq!(bytes::<MessagePack<RefCell<u8>>>(&borrowed).unwrap_err().to_string(), "it has no form in MessagePack");
}

#[test]
fn depth_is_bounded() {
    let nested = (0..100).fold(Tree::Leaf, |inner, _| Tree::Node(Box::new(inner)));
    let stored = bytes::<MessagePack<Tree>>(&nested).unwrap();
    assert_eq!(MessagePack::<Tree>::decode(stored).unwrap(), nested);
    let deep = b"\x81\xa4Node".repeat(200_000);
    assert_eq!(told::<MessagePack<Tree>>(deep), "it is nested too deeply to be read");
    assert_eq!(told::<MessagePack<Endless>>([1]), "it is nested too deeply to be read");
    assert_eq!(told::<MessagePack<IgnoredAnyValue>>(vec![0x91; 100_000]), "it is nested too deeply to be read");
}

/// Whatever stands there, and nothing of it is kept.
#[derive(Debug)]
struct IgnoredAnyValue;

impl Serialize for IgnoredAnyValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

impl<'de> Deserialize<'de> for IgnoredAnyValue {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}

#[test]
fn claims_of_length_are_not_believed() {
    let list = b"\xdd\xff\xff\xff\xff\x01";
    assert_eq!(told::<MessagePack<Vec<u64>>>(*list), "it is MessagePack that ends too early");
    let arrays = b"\xdd\xff\xff\xff\xff\xdc\x00\x20\x01";
    assert_eq!(told::<MessagePack<Vec<[u64; 32]>>>(*arrays), "it is MessagePack that ends too early");
    let map = b"\xdf\xff\xff\xff\xff\x01";
    assert_eq!(told::<MessagePack<BTreeMap<u8, u8>>>(*map), "it is MessagePack that ends too early");
    let text = b"\xdb\xff\xff\xff\xffa";
    assert_eq!(told::<MessagePack<String>>(*text), "it is MessagePack that ends too early");
}
