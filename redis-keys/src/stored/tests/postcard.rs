//! `Postcard<P>`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Stored as _, bytes, told};
use crate::stored::Postcard;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Profile {
    name: String,
    age: u8,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Tree {
    Leaf,
    Node(Box<Tree>),
}

#[derive(Serialize, Deserialize, Debug)]
struct Flattened {
    #[serde(flatten)]
    fields: BTreeMap<String, u8>,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Text(String),
}

/// Believes what the bytes say of their length, as no value should.
#[derive(Debug)]
struct Believer(usize);

impl Serialize for Believer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(0u8, 0u8)])
    }
}

impl<'de> Deserialize<'de> for Believer {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Believer;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut entries: A) -> Result<Believer, A::Error> {
                let room = Vec::<(u8, u8)>::with_capacity(entries.size_hint().unwrap_or(0)).capacity();
                while entries.next_entry::<u8, u8>()?.is_some() {}
                Ok(Believer(room))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

fn ada() -> Profile {
    Profile { name: "Ada".to_owned(), age: 36 }
}

#[test]
fn there_is_nothing_but_the_values() {
    let stored = bytes::<Postcard<Profile>>(&ada()).unwrap();
    assert_eq!(stored, b"\x03Ada\x24");
    assert_eq!(Postcard::<Profile>::decode(stored).unwrap(), ada());
}

#[test]
fn errors_say_where_and_never_what() {
    let stored = bytes::<Postcard<Profile>>(&ada()).unwrap();
    for end in 0..stored.len() {
        let error = told::<Postcard<Profile>>(&stored[..end]);
        assert!(error.starts_with("it is Postcard that ends too early"), "{error}");
    }
    let more = [&stored[..], b"secret"].concat();
    assert_eq!(told::<Postcard<Profile>>(more), "there is more behind the Postcard, at byte 6");
    assert_eq!(told::<Postcard<Profile>>(*b"\x03\xff\xff\xff\x24"), "it is not Postcard of this shape, at byte 4");
    assert_eq!(told::<Postcard<bool>>([7]), "it is not Postcard of this shape, at byte 1");
}

#[test]
fn types_that_do_not_fit_say_so() {
    let error = "Postcard cannot read a type of which the bytes have to say what they are";
    assert!(told::<Postcard<Untagged>>([1]).starts_with(error));
    let flattened = Flattened { fields: BTreeMap::from([("a".to_owned(), 1)]) };
    assert_eq!(bytes::<Postcard<Flattened>>(&flattened).unwrap_err().to_string(), "it has no form in Postcard");
}

#[test]
fn depth_is_bounded() {
    let nested = (0..100).fold(Tree::Leaf, |inner, _| Tree::Node(Box::new(inner)));
    let stored = bytes::<Postcard<Tree>>(&nested).unwrap();
    assert_eq!(Postcard::<Tree>::decode(stored).unwrap(), nested);
    assert!(told::<Postcard<Tree>>(vec![1; 1_000_000]).starts_with("it is nested too deeply to be read"));
}

#[test]
#[allow(clippy::zero_sized_map_values, reason = "that is the point")]
fn claims_of_length_are_not_believed() {
    let most = *b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01";
    for error in [
        told::<Postcard<Vec<u64>>>(most),
        told::<Postcard<Vec<[u64; 32]>>>(most),
        told::<Postcard<BTreeMap<u8, u8>>>(most),
        told::<Postcard<String>>(most),
        told::<Postcard<Believer>>(most),
    ] {
        assert_eq!(error, "it is Postcard that ends too early, at byte 10");
    }
    assert_eq!(told::<Postcard<Vec<()>>>(most), "it has too many empty elements to be read, at byte 10");
    assert_eq!(told::<Postcard<BTreeMap<(), ()>>>(most), "it has too many empty elements to be read, at byte 10");
    let stored = bytes::<Postcard<Vec<()>>>(&vec![(); 100_000]).unwrap();
    assert_eq!(Postcard::<Vec<()>>::decode(stored).unwrap().len(), 100_000);
}

#[test]
fn lengths_are_told_as_far_as_they_can_be_true() {
    let stored = bytes::<Postcard<Believer>>(&Believer(0)).unwrap();
    assert_eq!(Postcard::<Believer>::decode(stored).unwrap().0, 1);
}
