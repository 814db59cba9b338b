//! The role `cache` is added to a key that exists: the values that are stored, and programs of the version before.

use redis_keys::ErrorKind;
use redis_keys::cache::Token;
use redis_keys::prelude::*;
use redis_keys::stored::{Stored, StoredError};
use redis_keys_tests::{Con, on_every_connection};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
struct Point {
    x: u8,
    y: u8,
}

#[derive(Clone, PartialEq, prost::Message)]
struct Price {
    #[prost(uint32, tag = "1")]
    cents: u32,
}

/// A form of a user: the number of bytes, which any bytes have.
struct Length;

impl Stored for Length {
    type Input = usize;
    type Output = usize;

    fn encode(value: &usize, out: &mut impl std::io::Write) -> Result<(), StoredError> {
        Vec::<u8>::encode(&vec![b'x'; *value], out)
    }

    fn decode(bytes: Vec<u8>) -> Result<usize, StoredError> {
        Ok(bytes.len())
    }
}

/// The result of a program of the version before that reads a marker.
#[derive(Clone, Copy, Debug, PartialEq)]
enum OldReadOutcome {
    Error,
    Value,
}

use OldReadOutcome::{Error, Value};

/// A token that looks like a part of a Protobuf message, as a random one can.
fn token() -> Token {
    Token::from(*b"12345678\x08\x07\x08\x07\x08\x07\x08\x07")
}

/// A key before and after the role `cache` was added.
struct Form {
    name: &'static str,
    /// Reads with the declaration before.
    read: fn(&mut Con) -> OldReadOutcome,
    /// Claims a missing key.
    claim: fn(&mut Con),
    /// Stores that there is no value.
    fill: fn(&mut Con),
    /// Writes and reads a value with both declarations, and leaves it being refreshed.
    values: fn(&mut Con),
    /// The results for the marker that there is no value, for a lease, and for a refresh. The deadline of a refresh
    /// can look like parts of a message, too.
    expected: (OldReadOutcome, OldReadOutcome, Option<OldReadOutcome>),
}

macro_rules! forms {
    ($($word:ident $value:ty, $example:expr, $absence:ident $lease:ident $($refresh:ident)?;)*) => {
        [$({
            #[derive(RedisKey)]
            #[redis_key(form:cached.$word:string, value = $value, ttl = 1h)]
            struct Before;

            #[derive(RedisKey)]
            #[redis_key(form:cached.$word:string, value = $value, ttl = 1h, jitter = 10m, cache(null_ttl = 5m, refresh = 80%), allow(overlap, reason = "another version of the program"))]
            struct After;

            Form {
                name: stringify!($value),
                read: |con| match con.run(Before.get()) {
                    Ok(value) => {
                        assert!(value.is_some(), "the key exists");
                        Value
                    }
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::Decode, "{error}");
                        Error
                    }
                },
                claim: |con| {
                    con.ok(After.unlink());
                    con.ok(After.claim(&token()));
                },
                fill: |con| assert!(con.ok(After.fill(&token(), None))),
                values: |con| {
                    con.ok(Before.set($example));
                    let before = con.ok(Before.get());
                    assert!(con.ok(After.get()) == before, "{} reads what was written before", stringify!($value));
                    con.ok(After.set($example));
                    assert!(con.ok(Before.get()) == before, "{} writes what was written before", stringify!($value));
                    let _: bool = con.raw(&["PEXPIRE", concat!("form:cached.", stringify!($word), ":string"), "60000"]);
                    assert!(con.ok(After.claim_refresh(&token())));
                    assert!(con.ok(After.get()) == before, "{} is refreshed", stringify!($value));
                },
                expected: ($absence, $lease, [$($refresh,)?].first().copied()),
            }
        }),*]
    };
}

const POINT: &Point = &Point { x: 1, y: 2 };

const FORMS: &[Form] = &forms! {
    number u64, &42, Error Error Error;
    float f64, &0.5, Error Error Error;
    flag bool, &true, Error Error Error;
    text String, "Ada", Error Error Error;
    json Json<Point>, POINT, Error Error Error;
    packed MessagePack<Point>, POINT, Error Error Error;
    zipped Gzip<Vec<u8>>, b"Ada", Error Error Error;
    small Zstd<Postcard<Point>>, POINT, Error Error Error;
    quick Lz4<String>, "Ada", Error Error Error;
    swift Snappy<Vec<u8>>, b"Ada", Error Error Error;
    raw Vec<u8>, b"Ada", Value Value Value;
    shared prost::bytes::Bytes, b"Ada", Value Value Value;
    point Postcard<Point>, POINT, Error Error Error;
    points Postcard<Vec<Point>>, &vec![*POINT], Error Error Error;
    array Postcard<(Point, [u8; 16])>, &(*POINT, [0; 16]), Error Error Error;
    price Protobuf<Price>, &Price { cents: 7 }, Error Value;
    own Length, &3, Value Value Value;
};

#[test]
fn values_are_the_same_with_and_without_the_role() {
    on_every_connection(|con| FORMS.iter().for_each(|form| (form.values)(con)));
}

/// The table in the documentation of `redis_keys::cache`.
#[test]
fn a_program_of_the_version_before_reads_markers_as_errors_or_values() {
    on_every_connection(|con| {
        for form in FORMS {
            (form.claim)(con);
            let lease = (form.read)(con);
            (form.fill)(con);
            let absence = (form.read)(con);
            (form.values)(con);
            let refresh = (form.read)(con);
            let (_, _, expected) = form.expected;
            assert_eq!((absence, lease, expected.map(|_| refresh)), form.expected, "{}", form.name);
        }
    });
}
