//! Properties of every form, and its golden file: every later version reads what this version writes.
//!
//! The first run of the test of a new form writes its golden file and fails. No version may change an existing file.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::Index;
use serde::{Deserialize, Serialize};

use super::encode;
use crate::stored::{Gzip, Json, Lz4, MessagePack, Postcard, Protobuf, Snappy, Stored, Zstd};

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
    #[prost(uint32, repeated, tag = "16")]
    numbers: Vec<u32>,
    #[prost(message, repeated, tag = "2000")]
    friends: Vec<Message>,
    #[prost(bytes = "vec", tag = "7")]
    key: Vec<u8>,
}

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

fn ada_message() -> Message {
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
    let line = |n: u32| format!("line {n} of a poem that is not good, and line {} is no better\n", n + 1);
    (0..100).map(line).collect()
}

/// Checks that the file is still readable. Returns what is written now, and the file.
#[track_caller]
fn golden<F: Stored<Output: PartialEq + Debug>>(
    file: &str,
    value: &F::Input,
    expected: &F::Output,
) -> (Vec<u8>, Vec<u8>) {
    let written = encode::<F>(value);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stored/golden").join(file);
    let golden = fs::read(&path).unwrap_or_else(|_| {
        fs::write(&path, &written).unwrap();
        panic!("{} is new: review and keep it", path.display())
    });
    assert_eq!(&F::decode(golden.clone()).unwrap(), expected);
    (written, golden)
}

#[track_caller]
fn same_bytes<F: Stored<Output: PartialEq + Debug>>(file: &str, value: &F::Input, expected: &F::Output) {
    let (written, golden) = golden::<F>(file, value, expected);
    assert!(written == golden, "{file} would be written differently");
}

/// A later version of a compressor may find shorter bytes.
#[track_caller]
fn same_marker<F: Stored<Output: PartialEq + Debug>>(file: &str, value: &F::Input, expected: &F::Output) {
    let (written, golden) = golden::<F>(file, value, expected);
    assert_eq!(written[0], golden[0], "{file} would get another marker");
}

#[test]
fn golden_files() {
    same_bytes::<u64>("u64.txt", &u64::MAX, &u64::MAX);
    same_bytes::<i128>("i128.txt", &i128::MIN, &i128::MIN);
    same_bytes::<f64>("f64.txt", &-5e-324, &-5e-324);
    same_bytes::<f32>("f32.txt", &0.1, &0.1);
    same_bytes::<bool>("bool.txt", &true, &true);
    same_bytes::<String>("string.txt", "Ada, \0 and é", &"Ada, \0 and é".to_owned());
    let all: Vec<u8> = (0..=255).collect();
    same_bytes::<Vec<u8>>("bytes.bin", &all, &all);

    same_bytes::<Json<Profile>>("json.json", &ada(), &ada());
    same_bytes::<MessagePack<Profile>>("messagepack.bin", &ada(), &ada());
    same_bytes::<Postcard<Profile>>("postcard.bin", &ada(), &ada());
    same_bytes::<Protobuf<Message>>("protobuf.bin", &ada_message(), &ada_message());

    let small = "less is more".to_owned();
    same_bytes::<Zstd<String>>("small.bin", &small, &small);
    same_bytes::<Gzip<String>>("small.bin", &small, &small);
    same_bytes::<Snappy<String>>("small.bin", &small, &small);
    same_bytes::<Lz4<String>>("small.bin", &small, &small);
    same_marker::<Zstd<String>>("zstd.bin", &poem(), &poem());
    same_marker::<Gzip<String>>("gzip.bin", &poem(), &poem());
    same_marker::<Snappy<String>>("snappy.bin", &poem(), &poem());
    same_marker::<Lz4<String>>("lz4.bin", &poem(), &poem());
    same_marker::<Zstd<MessagePack<Vec<Profile>>>>("zstd.messagepack.bin", &vec![ada(); 9], &vec![ada(); 9]);
    same_marker::<Lz4<Json<Vec<Profile>>>>("lz4.json.bin", &vec![ada(); 9], &vec![ada(); 9]);
}

/// Checks that a value is read as it was written, and that altered, truncated and extended bytes do not panic.
fn check<F: Stored<Output: PartialEq + Debug>>(value: &F::Input, expected: &F::Output, changes: &[(Index, u8)]) {
    let stored = encode::<F>(value);
    assert_eq!(&F::decode(stored.clone()).unwrap(), expected);
    let mut altered = stored.clone();
    for (at, byte) in changes.iter().filter(|_| !stored.is_empty()) {
        let at = at.index(altered.len());
        altered[at] = *byte;
        drop(F::decode(altered.clone()));
        drop(F::decode(stored[..at].to_vec()));
    }
    altered.extend(changes.iter().map(|(_, byte)| byte));
    drop(F::decode(altered));
}

/// Checks a form, and the compressing forms around it.
fn check_all<F: Stored<Output: PartialEq + Debug>>(value: &F::Input, expected: &F::Output, changes: &[(Index, u8)]) {
    check::<F>(value, expected, changes);
    check::<Zstd<F>>(value, expected, changes);
    check::<Gzip<F>>(value, expected, changes);
    check::<Snappy<F>>(value, expected, changes);
    check::<Lz4<F>>(value, expected, changes);
}

fn role() -> impl Strategy<Value = Role> {
    prop_oneof![
        Just(Role::Guest),
        any::<u32>().prop_map(Role::Member),
        any::<(u64, [u8; 4])>().prop_map(|(since, key)| Role::Owner { since, key }),
    ]
}

prop_compose! {
    fn profile()(
        (name, age, balance) in any::<(String, u8, i64)>(),
        rate in -1e300..1e300,
        email in any::<Option<String>>(),
        tags in prop::collection::vec("[a-z]{0,40}", 0..60),
        seen in any::<BTreeMap<u16, bool>>(),
        (role, badge, place) in (role(), role(), role()),
    ) -> Profile {
        Profile { name, age, balance, rate, email, tags, seen, role, badge, place, unit: () }
    }
}

prop_compose! {
    fn message()(
        (name, balance, email) in any::<(String, i64, Option<String>)>(),
        rate in -1e300..1e300,
        tags in prop::collection::vec("[a-z]{0,40}", 0..60),
        numbers in any::<Vec<u32>>(),
        key in any::<Vec<u8>>(),
    ) -> Message {
        let friend = Message { name: name.clone(), ..Message::default() };
        Message { name, balance, rate, email, tags, numbers, friends: vec![friend], key }
    }
}

fn changes() -> impl Strategy<Value = Vec<(Index, u8)>> {
    prop::collection::vec(any::<(Index, u8)>(), 0..20)
}

/// Arbitrary bytes, of which some start like a value and others repeat a few bytes, which can mean deep nesting.
fn arbitrary_bytes() -> impl Strategy<Value = Vec<u8>> {
    let start = prop::sample::select(vec![
        &b""[..],
        b"\xff",
        b"\xfe\x28\xb5\x2f\xfd",
        b"\xfe\x28\xb5\x2f\xfd\x00",
        b"\xfe\x28\xb5\x2f\xfd\x20",
        b"\xfc\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff",
        b"\xfc\x1f\x8b\x08",
        b"\xf7",
        b"\xf7\x80\x10",
        b"\xf6",
        b"\xf6\x00\x10\x00\x00",
        b"\x8b\xa4name",
        b"\x0a",
        b"{\"name\":",
    ]);
    let started = (start, any::<Vec<u8>>()).prop_map(|(start, rest)| [start, &rest].concat());
    let repeated =
        (prop::collection::vec(any::<u8>(), 1..4), 1..20_000_usize).prop_map(|(unit, times)| unit.repeat(times));
    prop_oneof![2 => started, 1 => repeated]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_of_serde(value in profile(), changes in changes()) {
        check_all::<Json<Profile>>(&value, &value, &changes);
        check_all::<MessagePack<Profile>>(&value, &value, &changes);
        check_all::<Postcard<Profile>>(&value, &value, &changes);
    }

    #[test]
    fn messages(value in message(), changes in changes()) {
        check_all::<Protobuf<Message>>(&value, &value, &changes);
    }

    #[test]
    fn text(value in "(.{0,300}|[a-d]{0,3000})", changes in changes()) {
        check_all::<String>(&value, &value, &changes);
    }

    #[test]
    fn bytes(value in prop::collection::vec(any::<u8>(), 0..2000), repeat in 1usize..5, changes in changes()) {
        let value = value.repeat(repeat);
        check_all::<Vec<u8>>(&value, &value, &changes);
    }

    #[test]
    fn arbitrary_bytes_give_a_value_or_an_error(bytes in arbitrary_bytes()) {
        drop(Json::<Profile>::decode(bytes.clone()));
        drop(MessagePack::<Profile>::decode(bytes.clone()));
        drop(MessagePack::<serde_json::Value>::decode(bytes.clone()));
        drop(Postcard::<Profile>::decode(bytes.clone()));
        drop(Postcard::<Vec<Role>>::decode(bytes.clone()));
        drop(Protobuf::<Message>::decode(bytes.clone()));
        drop(Zstd::<Vec<u8>>::decode(bytes.clone()));
        drop(Gzip::<Vec<u8>>::decode(bytes.clone()));
        drop(Snappy::<Vec<u8>>::decode(bytes.clone()));
        drop(Lz4::<Vec<u8>>::decode(bytes));
    }
}
