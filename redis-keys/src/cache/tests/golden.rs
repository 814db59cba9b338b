//! The bytes of contents, which no later version may change.

use std::fmt::Debug;
use std::io;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::{encode, refreshed};
use crate::RedisKey as _;
use crate::cache::Token;
use crate::stored::cached::{Content, MarkedValue, StaleTimes, StaleValue, absent, write_stale_times};
use crate::stored::{Gzip, Json, Lz4, MessagePack, Postcard, Protobuf, Snappy, Stored, StoredError, Zstd};

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Point {
    x: u8,
    y: u8,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Price {
    #[prost(uint32, tag = "1")]
    cents: u32,
    #[prost(fixed64, tag = "24")]
    article: u64,
}

/// A form of a user, whose values begin with any byte and are written one byte at a time.
struct ReversedForm;

impl Stored for ReversedForm {
    type Input = [u8];
    type Output = Vec<u8>;

    fn encode(value: &[u8], out: &mut impl io::Write) -> Result<(), StoredError> {
        value.iter().rev().try_for_each(|byte| out.write_all(&[*byte])).map_err(|_| StoredError::new("write failed"))
    }

    fn decode(bytes: Vec<u8>) -> Result<Vec<u8>, StoredError> {
        Ok(bytes.into_iter().rev().collect())
    }
}

/// Checks what is stored of a value, and that it is read, also while it is refreshed.
#[track_caller]
fn same<F: Stored<Output: PartialEq + Debug>>(value: &F::Input, expected: &F::Output, content: &[u8]) {
    assert_eq!(encode::<F>(value).escape_ascii().to_string(), content.escape_ascii().to_string());
    for content in [content.to_vec(), refreshed(content)] {
        match MarkedValue::<F>::decode(content).unwrap() {
            Content::Value(found) => assert_eq!(&found, expected),
            _ => panic!("a value is read as a marker"),
        }
    }
}

#[test]
fn values_are_stored_as_they_are() {
    same::<u64>(&42, &42, b"42");
    same::<i128>(&-1, &-1, b"-1");
    same::<f64>(&0.5, &0.5, b"0.5");
    same::<f32>(&1e16, &1e16, b"1e16");
    same::<bool>(&true, &true, b"1");
    // U+0041 in two bytes would begin with C1: no text may be written so.
    same::<String>("Ada", &"Ada".to_owned(), b"Ada");
    same::<String>("é", &"é".to_owned(), b"\xC3\xA9");
    same::<Vec<u8>>(b"\xC0\xC1", &b"\xC0\xC1".to_vec(), b"\xC0\xC1");
    same::<Bytes>(b"\xC2", &Bytes::from_static(b"\xC2"), b"\xC2");
    same::<Json<Point>>(&point(193, 2), &point(193, 2), br#"{"x":193,"y":2}"#);
    same::<MessagePack<Point>>(&point(193, 2), &point(193, 2), b"\x82\xA1x\xCC\xC1\xA1y\x02");
    same::<Postcard<Point>>(&point(193, 2), &point(193, 2), b"\x01\xC1\x02");
    same::<Postcard<Point, 194>>(&point(193, 2), &point(193, 2), b"\xC2\xC1\x02");
    let price = Price { cents: 193, article: 0 };
    same::<Protobuf<Price>>(&price, &price, b"\x08\xC1\x01");
    same::<ReversedForm>(b"\xC1a", &b"\xC1a".to_vec(), b"a\xC1");
}

#[test]
fn a_compressed_value_begins_with_the_marker_of_its_form() {
    let small = b"\xC1n".to_vec();
    same::<Zstd<Vec<u8>>>(&small, &small, b"\xFF\xC1n");
    same::<Gzip<Vec<u8>>>(&small, &small, b"\xFF\xC1n");
    same::<Snappy<Vec<u8>>>(&small, &small, b"\xFF\xC1n");
    same::<Lz4<Vec<u8>>>(&small, &small, b"\xFF\xC1n");
    let large = vec![0xC1; 1000];
    let first = [
        encode::<Zstd<Vec<u8>>>(&large)[0],
        encode::<Gzip<Vec<u8>>>(&large)[0],
        encode::<Snappy<Vec<u8>>>(&large)[0],
        encode::<Lz4<Vec<u8>>>(&large)[0],
    ];
    assert_eq!(first, [0xFE, 0xFC, 0xF7, 0xF6]);
}

#[test]
fn values_that_begin_with_c1_are_escaped() {
    for value in [&b"\xC1"[..], b"\xC1n", b"\xC1v", b"\xC1\xC1", b"\xC1l0123456789abcdef", &refreshed(b"x")] {
        let content = [b"\xC1v", value].concat();
        same::<Vec<u8>>(value, &value.to_vec(), &content);
        same::<Bytes>(value, &Bytes::copy_from_slice(value), &content);
        let reversed: Vec<u8> = value.iter().rev().copied().collect();
        same::<ReversedForm>(&reversed, &reversed, &content);
    }
    same::<Postcard<Point, 193>>(&point(193, 2), &point(193, 2), b"\xC1v\xC1\xC1\x02");
    same::<Postcard<u32, 193>>(&110, &110, b"\xC1v\xC1n");
    let price = Price { cents: 0, article: 7 };
    same::<Protobuf<Price>>(&price, &price, b"\xC1v\xC1\x01\x07\0\0\0\0\0\0\0");
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:golden:{id}:string, value = String, ttl = 1h, jitter = 10m, cache(null_ttl = 5m, stale = 90s), crate = crate)]
struct Stale {
    id: u32,
}

#[test]
fn values_with_times() {
    let mut head = Vec::new();
    write_stale_times(Stale::SCHEMA, &mut head).unwrap();
    assert_eq!(head, b"\xC1s00000000900000000000090000");
    for (value, stored) in [("Ada", &b"Ada"[..]), ("", b""), ("\u{7F}", b"\x7F")] {
        let content = [&head, stored].concat();
        for (content, token) in
            [(content.clone(), None), (refreshed(&content), Some(Token::from(*b"0123456789abcdef")))]
        {
            let times = StaleTimes::of(&content).unwrap();
            let read = MarkedValue::<String>::decode(content).unwrap();
            assert_eq!(read, Content::Stale(Box::new(StaleValue { value: value.to_owned(), times, token })));
        }
    }
    let escaped = [&head, &b"\xC1v\xC1n"[..]].concat();
    let times = StaleTimes::of(&escaped).unwrap();
    let read = MarkedValue::<Vec<u8>>::decode(escaped).unwrap();
    assert_eq!(read, Content::Stale(Box::new(StaleValue { value: b"\xC1n".to_vec(), times, token: None })));
}

/// The scripts write the other markers: the integration tests have their bytes.
#[test]
fn the_marker_that_there_is_no_value() {
    assert_eq!(absent(), b"\xC1n");
    for content in [absent().to_vec(), refreshed(absent())] {
        assert_eq!(MarkedValue::<String>::decode(content), Ok(Content::Absent));
    }
}

fn point(x: u8, y: u8) -> Point {
    Point { x, y }
}
