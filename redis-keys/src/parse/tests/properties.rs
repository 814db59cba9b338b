//! There and back, for whatever there is: 100,000 cases and more over every type of parameter.

use std::{borrow::Cow, fmt::Debug, num::NonZero, sync::Arc, time::Instant};

use proptest::{prelude::*, sample::Index};
use redis_keys_macros::{KeySegment, RedisKey};

use super::{Items, Lenient, Plan, Settings, Stock, User};
use crate::{
    ParseKey, ParseSegment, ValueSet,
    bucket::{Day, Hour, Month, Year},
    overlap::KeyPattern,
    redis_key::RedisKey as _,
};

/// A whole segment.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(one:{value}:string, value = u64, ttl = 1h, crate = crate)]
struct One<T> {
    value: T,
}

/// Two of them, side by side.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(two:{first}:{second}:string, value = u64, ttl = 1h, crate = crate)]
struct Two<A, B> {
    first: A,
    second: B,
}

/// Words side by side, and beside text that could be a part of them.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(words:a.{second}.{first}.a:a:string, value = u64, ttl = 1h, crate = crate)]
struct Words<A, B> {
    first: A,
    second: B,
}

/// All of it, and a hash tag.
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

/// A number, and its shard beside it.
#[derive(Clone, Debug, PartialEq, RedisKey)]
#[redis_key(sharded:v.{id % 11}:{id}:{other}.{other % 4096}:string, value = u64, ttl = 1h, crate = crate)]
struct Sharded {
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
struct Coded {
    #[redis_key(base32)]
    text: String,
    #[redis_key(base32)]
    bytes: Vec<u8>,
    #[redis_key(base32)]
    five: [u8; 5],
    plain: String,
}

/// What a key is gives the key back, and nothing else gives that key.
#[track_caller]
fn both_ways<K: for<'k> ParseKey<'k> + PartialEq + Debug>(one: &K, other: &K) {
    let keys = [one, other].map(|key| key.key().ok().map(String::from));
    for (text, key) in keys.iter().zip([one, other]).filter_map(|(text, key)| Some((text.as_ref()?, key))) {
        assert_eq!(&K::parse(text).unwrap_or_else(|error| panic!("{error}: {text}")), key);
    }
    assert!(keys[0].is_none() || keys[0] != keys[1] || one == other, "{one:?} and {other:?} are {:?}", keys[0]);
}

/// What a type says that its values print is what this one prints, or the compiler would let keys meet.
#[track_caller]
fn prints_so<T: crate::KeySegment + Clone>(value: &T) {
    let Ok(key) = (One { value: value.clone() }).key() else { return };
    let text = key.strip_prefix("one:").and_then(|text| text.strip_suffix(":string")).unwrap();
    assert!(can_print(T::VALUES, text), "{:?} {text}", T::VALUES);
}

fn can_print(prints: ValueSet, text: &str) -> bool {
    KeyPattern::new("{}", &[prints]).overlaps(KeyPattern::new(text, &[]))
}

/// As each part of each key.
#[track_caller]
fn everywhere<T: crate::KeySegment + for<'k> ParseSegment<'k> + PartialEq + Debug + Clone>(one: &T, other: &T) {
    let [first, second] = [one, other];
    prints_so(first);
    both_ways(&One { value: first.clone() }, &One { value: second.clone() });
    both_ways(
        &Two { first: first.clone(), second: second.clone() },
        &Two { first: second.clone(), second: first.clone() },
    );
    if !T::DOTTED {
        let words = |first: &T, second: &T| Words { first: first.clone(), second: second.clone() };
        both_ways(&words(first, second), &words(second, first));
    }
}

/// Text that is right, and text that is made to break what stands around it.
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
    let right = proptest::sample::select(&["a", "b", "a.a", "a.b", "0", "00", "string", "a.a.b", "b.string"][..]);
    let made =
        prop::collection::vec(proptest::sample::select(pieces.to_vec()), 0..5).prop_map(|pieces| pieces.concat());
    prop_oneof![
        6 => right.prop_map(str::to_owned),
        6 => "[ab]{1,2}(\\.[ab]{1,2}){0,2}",
        4 => made,
        1 => ".{0,8}",
        1 => (0..130_usize).prop_map(|len| "x".repeat(len)),
    ]
}

const CASES: u32 = 3_000;

/// A property for each type, with values that are like each other.
macro_rules! types {
    ($($name:ident: $type:ty = $strategy:expr;)*) => {
        /// The types in turn.
        pub(super) const TYPES: &[&str] = &[$(stringify!($name)),*];

        $(proptest! {
            #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

            #[test]
            fn $name(one in $strategy, other in $strategy) {
                everywhere::<$type>(&one, &other);
            }
        })*
    };
}

/// Numbers at the edges, small ones, and any.
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
fn names_are_what_their_type_prints() {
    for section in [Section::Orders, Section::BasicInfo, Section::Old] {
        prints_so(&section);
        prints_so(&Label(section));
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
    let cases = CASES as usize * types + 2 * MANY as usize;
    assert!(cases >= 100_000, "{cases}");
}

const MANY: u32 = 8_000;

/// A key, some of it changed.
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

/// What is accepted prints as it was.
#[track_caller]
fn prints_again<'k, K: ParseKey<'k>>(bytes: &'k [u8]) {
    if let Ok(key) = K::parse(bytes) {
        let text = key.key().expect("what was read can be written");
        assert_eq!(text.as_str().as_bytes(), bytes);
    }
}

fn each_prints_again(bytes: &[u8]) {
    prints_again::<User<'_>>(bytes);
    prints_again::<Stock>(bytes);
    prints_again::<Items>(bytes);
    prints_again::<Settings>(bytes);
    prints_again::<One<u8>>(bytes);
    prints_again::<One<Year>>(bytes);
    prints_again::<One<Plan>>(bytes);
    prints_again::<One<Lenient>>(bytes);
    prints_again::<One<Cow<'_, str>>>(bytes);
    prints_again::<Two<&str, i64>>(bytes);
    prints_again::<Words<&str, u64>>(bytes);
    prints_again::<All<&str, &str, &str, u16, String>>(bytes);
    prints_again::<Sharded>(bytes);
    #[cfg(feature = "uuid")]
    prints_again::<One<uuid::Uuid>>(bytes);
    #[cfg(feature = "chrono")]
    prints_again::<One<chrono::NaiveDate>>(bytes);
    #[cfg(feature = "base32")]
    prints_again::<Coded>(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: MANY, failure_persistence: None, ..ProptestConfig::default() })]

    /// Text everywhere, and the same text cut at another place between two neighbours.
    #[test]
    fn texts_side_by_side(texts in [text(), text(), text(), text(), text()], (at, cut, sign) in (0..4_usize, any::<Index>(), 0..4_usize)) {
        let sign = [".", ":", "", ":string:"][sign];
        let whole = [texts[at].as_str(), &texts[at + 1]].join(sign);
        let places: Vec<usize> = whole.char_indices().map(|(at, _)| at).chain([whole.len()]).collect();
        let (left, right) = whole.split_at(*cut.get(&places));
        let mut others = texts.clone();
        others[at] = left.to_owned();
        others[at + 1] = right.strip_prefix(sign).unwrap_or(right).to_owned();
        let [one, other] = [texts, others].map(|[tag, words, left, right, last]| All { tag, left, right, words, last });
        both_ways(&one, &other);
    }

    #[test]
    fn shards(one in (number!(u128), number!(i64)), other in (number!(u128), number!(i64))) {
        let sharded = |(id, other)| Sharded { id, other };
        both_ways(&sharded(one), &sharded(other));
    }

    /// What is printed in base32 may be anything.
    #[cfg(feature = "base32")]
    #[test]
    fn base32(one in (text(), any::<Vec<u8>>(), any::<[u8; 5]>(), text()), other in (".{0,9}", any::<Vec<u8>>(), any::<[u8; 5]>(), text())) {
        let coded = |(text, mut bytes, five, plain): (String, Vec<u8>, _, _)| {
            bytes.truncate(20);
            Coded { text, bytes, five, plain }
        };
        both_ways(&coded(one), &coded(other));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_accepted_prints_as_it_was(text in [text(), text(), text(), text(), text()], number in number!(u64), changes in changes()) {
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
            each_prints_again(&changed(key, changes.clone()));
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in any::<Vec<u8>>(), begins in 0..5_usize) {
        let begin = ["", "user:name:", "all:{", "coded:", "sharded:v."][begins];
        each_prints_again(&[begin.as_bytes(), &bytes].concat());
    }
}

/// As quickly as one that is short: nothing is looked at that is too long in any case.
#[test]
fn a_megabyte_is_refused_at_once() {
    let started = Instant::now();
    for piece in ["a", ":", "{", "}", ".", "a.", "a:", "0", "\u{e9}", "\0", "user:name:a", "one:a:string"] {
        let bytes = piece.repeat(1_000_000 / piece.len());
        each_prints_again(bytes.as_bytes());
        each_prints_again(format!("user:name:{bytes}:string").as_bytes());
    }
    // Of which next to all goes into making the texts.
    assert!(started.elapsed().as_secs() < 5, "{:?}", started.elapsed());
}
