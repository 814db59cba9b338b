//! Keys: a text that was parsed is the text of the key.

use std::fmt::Debug;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZero;

use redis_keys::parameter::bucket::{Day, Hour, Month, Year};
use redis_keys::prelude::*;
use uuid::Uuid;

use super::MARKER;

#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(one:{value}:string, value = u64, ttl = 1h)]
struct One<T> {
    value: T,
}

/// Segments, words and a hash tag.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(all:{#tag}:{words}:{left}.{right}:string:{last}:string, value = u64, ttl = 1h)]
struct All<A, B, C, D, E> {
    tag: A,
    words: B,
    left: C,
    right: D,
    last: E,
}

#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(sharded:v.{id % 11}:{id}:{other}.{other % 4096}:string, value = u64, ttl = 1h)]
struct Sharded {
    id: u128,
    other: i64,
}

#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(coded:{text}:v.{bytes}.{five}:{plain}:string, value = u64, ttl = 1h)]
struct Coded {
    #[redis_key(base32)]
    text: String,
    #[redis_key(base32)]
    bytes: Vec<u8>,
    #[redis_key(base32)]
    five: [u8; 5],
    plain: Box<str>,
}

#[derive(Clone, Debug, PartialEq, KeySegment)]
struct Id(u64);

#[derive(Clone, Debug, PartialEq, KeySegment)]
enum Section {
    Orders,
    BasicInfo,
    #[redis_key(rename = "7.old")]
    Old,
}

/// Legacy texts, with fields that may contain nearly anything.
macro_rules! legacy {
    ($($name:ident($($field:ident: $ty:ty),*) $word:ident $text:literal;)*) => {$(
        #[derive(Clone, Debug, PartialEq, RedisKey)]
        #[redis_key(legacy:$word:{one}:{two}:string, value = u64, ttl = 1h, legacy = $text)]
        struct $name {
            $($field: $ty,)*
        }
    )*};
}

legacy! {
    Colons(one: String, two: String) colons "D{one}::{two}";
    Braces(one: String, two: u64) braces "Q{{{one}}}{two}";
    Twice(one: String, two: i32) twice "L{one}/{two}/{one}!";
    Overlapping(one: String, two: String) overlapping "O{one}aba{two}";
    Quoted(one: u64, two: Box<str>) quoted "H{one}é{two}é";
    Identifiers(one: Uuid, two: Ipv6Addr) identifiers "U{one}_{two}";
    Numbers(one: String, two: i128) numbers "N{one}-{two}";
}

type Parse = fn(&[u8]);

/// The declarations, of which the first byte of an input names one. New ones belong to the end.
const DECLARATIONS: &[Parse] = &[
    parse::<One<u64>>,
    parse::<One<i128>>,
    parse::<One<NonZero<u16>>>,
    parse::<One<bool>>,
    parse::<One<String>>,
    parse::<One<std::sync::Arc<str>>>,
    parse::<One<Day>>,
    parse::<One<Hour>>,
    parse::<One<Month>>,
    parse::<One<Year>>,
    parse::<One<Uuid>>,
    parse::<One<IpAddr>>,
    parse::<One<Ipv4Addr>>,
    parse::<One<Section>>,
    parse::<One<Id>>,
    parse::<All<u8, String, Id, i16, Day>>,
    parse::<All<String, Section, u32, Hour, Uuid>>,
    parse::<Sharded>,
    parse::<Coded>,
    parse::<Colons>,
    parse::<Braces>,
    parse::<Twice>,
    parse::<Overlapping>,
    parse::<Quoted>,
    parse::<Identifiers>,
    parse::<Numbers>,
];

/// Parses the text as a key of a declaration, and writes keys of its parts, which a line feed separates.
pub fn key(bytes: &[u8]) {
    let Some((declaration, text)) = bytes.split_first() else { return };
    DECLARATIONS[usize::from(*declaration) % DECLARATIONS.len()](text);
    let Ok(text) = str::from_utf8(text) else { return };
    let (one, two) = text.split_once('\n').unwrap_or((text, ""));
    let [one, two] = [one, two].map(str::to_owned);
    let number = two.parse().unwrap_or(two.len() as u64);
    let (small, large) = (i32::try_from(number).unwrap_or(-1), i128::from(number) - 9);
    write(&One { value: one.clone() });
    write(&Coded { text: one.clone(), bytes: two.clone().into(), five: *b"fives", plain: "x".into() });
    write(&Colons { one: one.clone(), two: two.clone() });
    write(&Braces { one: one.clone(), two: number });
    write(&Twice { one: one.clone(), two: small });
    write(&Overlapping { one: one.clone(), two: two.clone() });
    write(&Quoted { one: number, two: two.into() });
    write(&Numbers { one, two: large });
}

fn parse<K: for<'k> ParseKey<'k> + PartialEq + Debug>(text: &[u8]) {
    let marked = [text, MARKER.as_bytes()].concat();
    for text in [text, &marked] {
        match K::parse(text) {
            Ok(key) => {
                let written = key.key().map(String::from);
                assert!(written.as_ref().is_ok_and(|written| written.as_bytes() == text), "{key:?} is {written:?}");
            }
            Err(error) => assert!(!error.to_string().contains(MARKER), "{error}"),
        }
    }
}

/// A key that can be written is read as itself.
fn write<K: for<'k> ParseKey<'k> + PartialEq + Debug>(key: &K) {
    if let Ok(text) = key.key() {
        let parsed = K::parse(text.as_str());
        assert!(parsed.as_ref().is_ok_and(|parsed| parsed == key), "{text}: {key:?} is read as {parsed:?}");
    }
}
