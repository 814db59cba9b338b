//! What this version writes every later one reads: the bytes of each form, as files that no version may change.
//!
//! A form that is new gets its file by the first run of its test, which fails and says so.

use std::{collections::BTreeMap, fmt::Debug, fs, path::PathBuf};

use super::{Message, Profile, Role};
use crate::stored::{Gzip, Json, Lz4, MessagePack, Postcard, Protobuf, Snappy, Stored, Zstd, tests::bytes};

fn ada() -> Profile {
    Profile {
        name: "Ada Lovelace".to_owned(),
        age: 36,
        balance: -1_815,
        rate: 0.1,
        email: None,
        tags: vec!["é".to_owned(), String::new()],
        seen: BTreeMap::from([(1, true), (1843, false)]),
        role: Role::Guest,
        badge: Role::Member(300),
        place: Role::Owner { since: u64::MAX, key: *b"\x00\x7f\x80\xff" },
        unit: (),
    }
}

fn message() -> Message {
    let friend = Message { name: "Charles".to_owned(), email: Some(String::new()), ..Message::default() };
    Message {
        name: "Ada".to_owned(),
        balance: -1_815,
        rate: 0.1,
        email: None,
        tags: vec!["é".to_owned(), String::new()],
        numbers: vec![0, 300, u32::MAX],
        friends: vec![friend],
        key: b"\x00\xff".to_vec(),
    }
}

fn poem() -> String {
    let line =
        |number: u32| format!("line {number} of a poem that is not good, and line {} is no better\n", number + 1);
    (0..100).map(line).collect::<Vec<_>>().concat()
}

fn golden(name: &str, bytes: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("src/stored/golden");
    let path = folder.join(name);
    fs::read(&path).unwrap_or_else(|_| {
        fs::write(&path, bytes()).unwrap();
        panic!("{} is new: read it, and keep it for ever", path.display())
    })
}

/// The very same bytes.
#[track_caller]
fn written<F: Stored<Output: PartialEq + Debug>>(name: &str, value: &F::Input, expected: &F::Output) {
    let written = bytes::<F>(value).unwrap();
    let golden = golden(name, || written.clone());
    assert_eq!(&F::decode(golden.clone()).unwrap(), expected);
    assert!(written == golden, "{name} would be written in another way");
}

/// Bytes of the same mark. A later version of the codec may find shorter ones.
#[track_caller]
fn read<F: Stored<Output: PartialEq + Debug>>(name: &str, value: &F::Input, expected: &F::Output) {
    let written = bytes::<F>(value).unwrap();
    let golden = golden(name, || written.clone());
    assert_eq!(&F::decode(golden.clone()).unwrap(), expected);
    assert_eq!(written[0], golden[0], "{name} would be marked in another way");
}

#[test]
fn numbers() {
    written::<u64>("u64.txt", &u64::MAX, &u64::MAX);
    written::<i128>("i128.txt", &i128::MIN, &i128::MIN);
    written::<f64>("f64.txt", &-5e-324, &-5e-324);
    written::<f32>("f32.txt", &0.1, &0.1);
    written::<bool>("bool.txt", &true, &true);
}

#[test]
fn text_and_bytes() {
    let all: Vec<u8> = (0..=255).collect();
    written::<String>("string.txt", "Ada, \0 and é", &"Ada, \0 and é".to_owned());
    written::<Vec<u8>>("bytes.bin", &all, &all);
}

#[test]
fn types_of_serde() {
    written::<Json<Profile>>("json.json", &ada(), &ada());
    written::<MessagePack<Profile>>("messagepack.bin", &ada(), &ada());
    written::<Postcard<Profile>>("postcard.bin", &ada(), &ada());
}

#[test]
fn messages() {
    written::<Protobuf<Message>>("protobuf.bin", &message(), &message());
}

#[test]
fn values_too_small_to_be_compressed() {
    let text = "less is more".to_owned();
    written::<Zstd<String>>("small.bin", &text, &text);
    written::<Gzip<String>>("small.bin", &text, &text);
    written::<Snappy<String>>("small.bin", &text, &text);
    written::<Lz4<String>>("small.bin", &text, &text);
}

#[test]
fn compressed_values() {
    read::<Zstd<String>>("zstd.bin", &poem(), &poem());
    read::<Gzip<String>>("gzip.bin", &poem(), &poem());
    read::<Snappy<String>>("snappy.bin", &poem(), &poem());
    read::<Lz4<String>>("lz4.bin", &poem(), &poem());
    read::<Zstd<MessagePack<Vec<Profile>>>>("zstd.messagepack.bin", &vec![ada(); 9], &vec![ada(); 9]);
    read::<Lz4<Json<Vec<Profile>>>>("lz4.json.bin", &vec![ada(); 9], &vec![ada(); 9]);
}
