//! Whatever is written is read again, and whatever bytes there are give a value or an error.

use std::fmt::Debug;

use proptest::{prelude::*, sample::Index};

use super::{Message, Profile, Role, message, profile};
use crate::stored::{Gzip, Json, Lz4, MessagePack, Postcard, Protobuf, Snappy, Stored, Zstd, tests::bytes};

/// A value, its bytes, and what becomes of them when some are other, left out or added.
fn round<F: Stored<Output: PartialEq + Debug>>(value: &F::Input, expected: &F::Output, changes: &[(Index, u8)]) {
    let stored = bytes::<F>(value).unwrap();
    assert_eq!(&F::decode(stored.clone()).unwrap(), expected);
    let mut other = stored.clone();
    for (at, byte) in changes.iter().filter(|_| !stored.is_empty()) {
        let at = at.index(other.len());
        other[at] = *byte;
        drop(F::decode(other.clone()));
        drop(F::decode(stored[..at].to_vec()));
    }
    other.extend(changes.iter().map(|(_, byte)| byte));
    drop(F::decode(other));
}

fn every_way<F>(value: &F::Input, expected: &F::Output, changes: &[(Index, u8)])
where
    F: Stored<Output: PartialEq + Debug>,
{
    round::<F>(value, expected, changes);
    round::<Zstd<F>>(value, expected, changes);
    round::<Gzip<F>>(value, expected, changes);
    round::<Snappy<F>>(value, expected, changes);
    round::<Lz4<F>>(value, expected, changes);
}

fn changes() -> impl Strategy<Value = Vec<(Index, u8)>> {
    prop::collection::vec(any::<(Index, u8)>(), 0..20)
}

/// Any bytes, and such that begin like something.
fn soup() -> impl Strategy<Value = Vec<u8>> {
    let begin = prop::sample::select(vec![
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
    (begin, any::<Vec<u8>>()).prop_map(|(begin, rest)| [begin, &rest].concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn values_of_serde(value in profile(), changes in changes()) {
        every_way::<Json<Profile>>(&value, &value, &changes);
        every_way::<MessagePack<Profile>>(&value, &value, &changes);
        every_way::<Postcard<Profile>>(&value, &value, &changes);
    }

    #[test]
    fn messages(value in message(), changes in changes()) {
        every_way::<Protobuf<Message>>(&value, &value, &changes);
    }

    #[test]
    fn text(value in "(.{0,300}|[a-d]{0,3000})", changes in changes()) {
        every_way::<String>(&value, &value, &changes);
    }

    #[test]
    fn any_bytes(value in prop::collection::vec(any::<u8>(), 0..2000), repeat in 1usize..5, changes in changes()) {
        let value = value.repeat(repeat);
        every_way::<Vec<u8>>(&value, &value, &changes);
    }

    #[test]
    fn soup_gives_a_value_or_an_error(bytes in soup()) {
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
