//! Writing and parsing keys, in 100,000 cases over all parameter types.

use std::borrow::Cow;
use std::fmt::Debug;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Instant;

use proptest::prelude::*;
use proptest::sample::Index;
use redis_keys_macros::{KeySegment, RedisKey};

use super::{Items, Lenient, Plan, Settings, Stock, User};
use crate::__private::overlap::KeyPattern;
use crate::ParseKey;
use crate::parameter::bucket::{Day, Hour, Month, Year};
use crate::parameter::{ParseSegment, ValueSet};
use crate::types::any::RedisKey as _;

/// A whole segment.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(one:{value}:string, value = u64, ttl = 1h, crate = crate)]
struct One<T> {
    value: T,
}

/// Two adjacent segments.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(two:{first}:{second}:string, value = u64, ttl = 1h, crate = crate)]
struct Two<A, B> {
    first: A,
    second: B,
}

/// Adjacent words, beside literal text that could be a part of them.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(words:a.{second}.{first}.a:a:string, value = u64, ttl = 1h, crate = crate)]
struct Words<A, B> {
    first: A,
    second: B,
}

/// Segments, words and a hash tag.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(all:{#tag}:{words}:{left}.{right}:string:{last}:string, value = u64, ttl = 1h, crate = crate)]
struct All<A, B, C, D, E> {
    tag: A,
    left: C,
    right: D,
    words: B,
    last: E,
}

#[derive(Clone, Debug, PartialEq, KeySegment)]
#[redis_key(crate = crate)]
struct Id(u64);

#[derive(Clone, Debug, PartialEq, KeySegment)]
#[redis_key(crate = crate)]
struct Label<T>(T);

/// A number with its shard beside it.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(sharded:v.{id % 11}:{id}:{other}.{other % 4096}:string, value = u64, ttl = 1h, crate = crate)]
struct ShardedKey {
    id: u128,
    other: i64,
}

#[derive(Clone, Debug, PartialEq, KeySegment)]
#[redis_key(crate = crate)]
enum Section {
    Orders,
    BasicInfo,
    #[redis_key(rename = "7.old")]
    Old,
}

#[cfg(feature = "base32")]
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(coded:{text}:v.{bytes}.{five}:{plain}:string, value = u64, ttl = 1h, crate = crate)]
struct EncodedKey {
    #[redis_key(base32)]
    text: String,
    #[redis_key(base32)]
    bytes: Vec<u8>,
    #[redis_key(base32)]
    five: [u8; 5],
    plain: String,
}

/// The text of a key parses to the same key, and different keys have different texts.
#[track_caller]
fn round_trip<K: for<'k> ParseKey<'k> + PartialEq + Debug>(first: &K, second: &K) {
    let keys = [first, second].map(|key| key.key().ok().map(String::from));
    for (text, key) in keys.iter().zip([first, second]).filter_map(|(text, key)| Some((text.as_ref()?, key))) {
        assert_eq!(&K::parse(text).unwrap_or_else(|error| panic!("{error}: {text}")), key);
    }
    assert!(keys[0].is_none() || keys[0] != keys[1] || first == second, "{first:?} and {second:?} are {:?}", keys[0]);
}

/// The value set of a type contains the text of the value.
#[track_caller]
fn is_in_value_set<T: crate::KeySegment + Clone>(value: &T) {
    let Ok(key) = (One { value: value.clone() }).key() else { return };
    let text = key.strip_prefix("one:").and_then(|text| text.strip_suffix(":string")).unwrap();
    assert!(contains(T::VALUES, text), "{:?} {text}", T::VALUES);
}

fn contains(values: ValueSet, text: &str) -> bool {
    KeyPattern::new("{}", &[values]).overlaps(KeyPattern::new(text, &[]))
}

/// Both values as every part of a key.
#[track_caller]
fn round_trip_everywhere<T: crate::KeySegment + for<'k> ParseSegment<'k> + PartialEq + Debug + Clone>(
    first: &T,
    second: &T,
) {
    is_in_value_set(first);
    round_trip(&One { value: first.clone() }, &One { value: second.clone() });
    round_trip(
        &Two { first: first.clone(), second: second.clone() },
        &Two { first: second.clone(), second: first.clone() },
    );
    if !T::DOTTED {
        let words = |first: &T, second: &T| Words { first: first.clone(), second: second.clone() };
        round_trip(&words(first, second), &words(second, first));
    }
}

/// Valid text, and text that is likely to break its surroundings.
fn text() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        "b",
        "0",
        "7",
        "a",
        "b",
        ".",
        ".",
        "string",
        "list",
        ":",
        ":string",
        ".a.",
        "{",
        "}",
        "",
        " ",
        "A",
        "_",
        "-",
        "\n",
        "\0",
        "\u{e9}",
        "\u{1f511}",
        "*",
        "?",
        "[a]",
        "\\",
    ];
    let valid = proptest::sample::select(&["a", "b", "a.a", "a.b", "0", "00", "string", "a.a.b", "b.string"][..]);
    let assembled =
        prop::collection::vec(proptest::sample::select(pieces.to_vec()), 0..5).prop_map(|pieces| pieces.concat());
    prop_oneof![
        6 => valid.prop_map(str::to_owned),
        6 => "[ab]{1,2}(\\.[ab]{1,2}){0,2}",
        4 => assembled,
        1 => ".{0,8}",
        1 => (0..130_usize).prop_map(|len| "x".repeat(len)),
    ]
}

const CASES: u32 = 3_000;

/// A property for each type, with values that resemble each other.
macro_rules! types {
    ($($name:ident: $type:ty = $strategy:expr;)*) => {
        pub(super) const TYPES: &[&str] = &[$(stringify!($name)),*];

        $(proptest! {
            #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn $name(first in $strategy, second in $strategy) {
                round_trip_everywhere::<$type>(&first, &second);
            }
        })*
    };
}

/// Numbers at the limits, small ones, and any.
macro_rules! number {
    ($type:ty) => {
        prop_oneof![
            proptest::sample::select(vec![<$type>::MIN, <$type>::MAX, <$type>::MAX - 1, 0, 1, 9, 10, 11]),
            0..=(<$type>::MAX / 100),
            any::<$type>(),
        ]
    };
}

macro_rules! non_zero {
    ($type:ty) => {
        number!($type).prop_filter_map("not 0", NonZero::new)
    };
}

types! {
    numbers_of_8_bits: u8 = number!(u8);
    numbers_of_16_bits: u16 = number!(u16);
    numbers_of_32_bits: u32 = number!(u32);
    numbers_of_64_bits: u64 = number!(u64);
    numbers_of_128_bits: u128 = number!(u128);
    sizes: usize = number!(usize);
    signed_numbers_of_8_bits: i8 = number!(i8);
    signed_numbers_of_16_bits: i16 = number!(i16);
    signed_numbers_of_32_bits: i32 = number!(i32);
    signed_numbers_of_64_bits: i64 = number!(i64);
    signed_numbers_of_128_bits: i128 = number!(i128);
    numbers_that_are_not_0: NonZero<u64> = non_zero!(u64);
    signed_numbers_that_are_not_0: NonZero<i32> = non_zero!(i32);
    truth: bool = any::<bool>();
    texts: String = text();
    boxes: Box<str> = text().prop_map(Into::into);
    shared_texts: Arc<str> = text().prop_map(Into::into);
    boxed_numbers: Box<Arc<u16>> = number!(u16).prop_map(|number| Box::new(Arc::new(number)));
    years: Year = (0..10_000_u16).prop_filter_map("a year", Year::new);
    months: Month = (0..10_000_u16, 1..13_u8).prop_filter_map("a month", |(year, month)| Month::new(year, month));
    days: Day = (0..10_000_u16, 1..13_u8, 1..32_u8).prop_filter_map("a day", |(year, month, day)| Day::new(year, month, day));
    hours: Hour = (0..10_000_u16, 1..13_u8, 1..29_u8, 0..24_u8)
        .prop_filter_map("an hour", |(year, month, day, hour)| Hour::new(year, month, day, hour));
    newtypes_of_numbers: Id = number!(u64).prop_map(Id);
    newtypes_of_texts: Label<String> = text().prop_map(Label);
}

#[cfg(feature = "uuid")]
mod with_uuid {
    use super::*;

    types! {
        uuids: uuid::Uuid = number!(u128).prop_map(uuid::Uuid::from_u128);
    }
}

#[cfg(all(feature = "chrono", feature = "jiff", feature = "time"))]
mod with_dates {
    use super::*;

    types! {
        days_of_chrono: chrono::NaiveDate = (-2..10_002_i32, 1..366_u32)
            .prop_filter_map("a day", |(year, day)| chrono::NaiveDate::from_yo_opt(year, day));
        days_of_jiff: jiff::civil::Date = (-2..10_000_i16, 1..13_i8, 1..32_i8)
            .prop_filter_map("a day", |(year, month, day)| jiff::civil::Date::new(year, month, day).ok());
        days_of_time: time::Date = (-2..10_000_i32, 1..366_u16)
            .prop_filter_map("a day", |(year, day)| time::Date::from_ordinal_date(year, day).ok());
    }
}

#[test]
fn names_are_in_the_value_set() {
    for section in [Section::Orders, Section::BasicInfo, Section::Old] {
        is_in_value_set(&section);
        is_in_value_set(&Label(section));
    }
}

#[test]
fn there_are_100_000_cases() {
    #[cfg_attr(not(feature = "uuid"), allow(unused_mut))]
    let mut types = TYPES.len();
    #[cfg(feature = "uuid")]
    {
        types += with_uuid::TYPES.len();
    }
    #[cfg(all(feature = "chrono", feature = "jiff", feature = "time"))]
    {
        types += with_dates::TYPES.len();
    }
    let cases = CASES as usize * types + 2 * KEY_CASES as usize;
    assert!(cases >= 100_000, "{cases}");
}

const KEY_CASES: u32 = 8_000;

/// A key with some bytes changed.
fn changed(key: String, changes: Vec<(Index, Option<&'static str>, bool)>) -> Vec<u8> {
    let mut bytes = key.into_bytes();
    for (at, piece, replace) in changes {
        let at = at.index(bytes.len() + 1);
        let end = if replace { (at + 1).min(bytes.len()) } else { at };
        bytes.splice(at..end, piece.unwrap_or_default().bytes());
    }
    bytes
}

fn changes() -> impl Strategy<Value = Vec<(Index, Option<&'static str>, bool)>> {
    let pieces = ["a", "0", "7", ".", ":", "{", "}", "A", "\u{e9}", "\0", ":string", ".a."];
    let piece = proptest::option::of(proptest::sample::select(pieces.to_vec()));
    prop::collection::vec((any::<Index>(), piece, any::<bool>()), 0..4)
}

/// A parsed key has the text it was parsed from.
#[track_caller]
fn writes_what_it_parsed<'k, K: ParseKey<'k>>(bytes: &'k [u8]) {
    if let Ok(key) = K::parse(bytes) {
        let text = key.key().expect("a parsed key can be written");
        assert_eq!(text.as_str().as_bytes(), bytes);
    }
}

fn each_writes_what_it_parsed(bytes: &[u8]) {
    writes_what_it_parsed::<User<'_>>(bytes);
    writes_what_it_parsed::<Stock>(bytes);
    writes_what_it_parsed::<Items>(bytes);
    writes_what_it_parsed::<Settings>(bytes);
    writes_what_it_parsed::<One<u8>>(bytes);
    writes_what_it_parsed::<One<Year>>(bytes);
    writes_what_it_parsed::<One<Plan>>(bytes);
    writes_what_it_parsed::<One<Lenient>>(bytes);
    writes_what_it_parsed::<One<Cow<'_, str>>>(bytes);
    writes_what_it_parsed::<Two<&str, i64>>(bytes);
    writes_what_it_parsed::<Words<&str, u64>>(bytes);
    writes_what_it_parsed::<All<&str, &str, &str, u16, String>>(bytes);
    writes_what_it_parsed::<ShardedKey>(bytes);
    #[cfg(feature = "uuid")]
    writes_what_it_parsed::<One<uuid::Uuid>>(bytes);
    #[cfg(feature = "chrono")]
    writes_what_it_parsed::<One<chrono::NaiveDate>>(bytes);
    #[cfg(feature = "base32")]
    writes_what_it_parsed::<EncodedKey>(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: KEY_CASES, failure_persistence: None, ..ProptestConfig::default() })]

    /// Text in all parameters, and the same text split differently between two neighbours.
    #[test]
    fn adjacent_texts(texts in [text(), text(), text(), text(), text()], (at, cut, sign) in (0..4_usize, any::<Index>(), 0..4_usize)) {
        let sign = [".", ":", "", ":string:"][sign];
        let whole = [texts[at].as_str(), &texts[at + 1]].join(sign);
        let places: Vec<usize> = whole.char_indices().map(|(at, _)| at).chain([whole.len()]).collect();
        let (left, right) = whole.split_at(*cut.get(&places));
        let mut others = texts.clone();
        others[at] = left.to_owned();
        others[at + 1] = right.strip_prefix(sign).unwrap_or(right).to_owned();
        let [first, second] = [texts, others].map(|[tag, words, left, right, last]| All { tag, left, right, words, last });
        round_trip(&first, &second);
    }

    #[test]
    fn shards(first in (number!(u128), number!(i64)), second in (number!(u128), number!(i64))) {
        let sharded = |(id, other)| ShardedKey { id, other };
        round_trip(&sharded(first), &sharded(second));
    }

    #[cfg(feature = "base32")]
    #[test]
    fn base32(first in (text(), any::<Vec<u8>>(), any::<[u8; 5]>(), text()), second in (".{0,9}", any::<Vec<u8>>(), any::<[u8; 5]>(), text())) {
        let coded = |(text, mut bytes, five, plain): (String, Vec<u8>, _, _)| {
            bytes.truncate(20);
            EncodedKey { text, bytes, five, plain }
        };
        round_trip(&coded(first), &coded(second));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn accepted_keys_are_canonical(text in [text(), text(), text(), text(), text()], number in number!(u64), changes in changes()) {
        let [a, b, c, d, e] = text;
        let keys = [
            format!("user:name:{a}:string"),
            format!("shop:stock:v.{number}:{a}:of.{b}.now:string"),
            format!("cart:{{{number}}}:items:list"),
            "app:settings:string".to_owned(),
            format!("one:{a}:string"),
            format!("two:{a}:{number}:string"),
            format!("words:a.{number}.{a}.a:a:string"),
            format!("all:{{{a}}}:{b}:{c}.{number}:string:{d}:string"),
            format!("coded:{a}:v.{b}.{c}:{d}:string"),
            format!("one:{number:032x}:string"),
            format!("one:{number:03x}:string"),
            format!("one:{:08}:string", number % 100_000_000),
            format!("sharded:v.{}:{number}:{number}.{}:string", number % 11, number % 4096),
            e,
        ];
        for key in keys {
            each_writes_what_it_parsed(&changed(key, changes.clone()));
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in any::<Vec<u8>>(), begins in 0..5_usize) {
        let begin = ["", "user:name:", "all:{", "coded:", "sharded:v."][begins];
        each_writes_what_it_parsed(&[begin.as_bytes(), &bytes].concat());
    }
}

/// Text that is too long is rejected by its length.
#[test]
fn a_megabyte_is_rejected_at_once() {
    let started = Instant::now();
    for piece in ["a", ":", "{", "}", ".", "a.", "a:", "0", "\u{e9}", "\0", "user:name:a", "one:a:string"] {
        let bytes = piece.repeat(1_000_000 / piece.len());
        each_writes_what_it_parsed(bytes.as_bytes());
        each_writes_what_it_parsed(format!("user:name:{bytes}:string").as_bytes());
    }
    // Most of the time is spent on building the texts.
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}
