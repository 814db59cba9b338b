//! Text that each parameter type writes and rejects.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::NonZero;
use std::sync::Arc;

use redis_keys_core::Rule;

use super::{KeySegment, Newtype, SegmentWriter, Shardable};
use crate::__private::KeyLiterals;
use crate::key::{InvalidKey, KeyProblem, KeyWriter};
use crate::schema::ParameterForm;
use crate::tests::keys::Name;
use crate::types::other_accessors::kind;
use crate::{ErrorKind, RedisKey, SendStatus};

#[cfg(all(feature = "base32", feature = "digest"))]
mod encoding;
mod slug;

fn as_segment(value: &(impl KeySegment + ?Sized)) -> Result<String, InvalidKey> {
    let mut key = KeyWriter::new();
    value.write(&mut key.segment());
    key.finish().map(|key| key.to_string())
}

fn as_word(value: &(impl KeySegment + ?Sized)) -> Result<String, InvalidKey> {
    let mut key = KeyWriter::new();
    value.write(&mut key.word());
    key.finish().map(|key| key.to_string())
}

/// Asserts that the longest value has the declared length.
fn longest<T: KeySegment>(value: T) {
    assert_eq!(T::LONGEST, Some(as_segment(&value).unwrap().len()));
}

#[test]
fn numbers() {
    longest(u8::MAX);
    longest(u16::MAX);
    longest(u32::MAX);
    longest(u64::MAX);
    longest(u128::MAX);
    longest(usize::MAX);
    longest(i8::MAX);
    longest(i16::MAX);
    longest(i32::MAX);
    longest(i64::MAX);
    longest(i128::MAX);
    longest(isize::MAX);
    longest(false);
    longest(NonZero::<u64>::MAX);
    longest(NonZero::<i8>::MAX);
    assert_eq!(as_segment(&u128::MAX).unwrap(), u128::MAX.to_string());
    assert_eq!([as_segment(&0u8).unwrap(), as_segment(&true).unwrap(), as_segment(&0i64).unwrap()], ["0", "true", "0"]);
}

#[test]
fn negative_numbers_are_rejected() {
    let negative = KeyProblem::Rejected("is negative: keys have no sign, so use an unsigned type such as `u64`");
    assert_eq!(as_segment(&-1i8).unwrap_err().problem, negative);
    assert_eq!(as_segment(&i128::MIN).unwrap_err().problem, negative);
    assert_eq!(negative.rule(), Rule::Alphabet);
}

#[test]
fn text_in_all_its_types() {
    let text = "a1.b2";
    assert_eq!(as_segment(text).unwrap(), text);
    assert_eq!(as_segment(&text.to_owned()).unwrap(), text);
    assert_eq!(as_segment(&&&text).unwrap(), text);
    assert_eq!(as_segment(&Box::<str>::from(text)).unwrap(), text);
    assert_eq!(as_segment(&Arc::<str>::from(text)).unwrap(), text);
    assert_eq!(as_segment(&Cow::Borrowed(text)).unwrap(), text);
    assert_eq!(<&Cow<'_, str>>::LONGEST, None);
    assert_eq!(<Box<&u8>>::LONGEST, Some(3));
}

#[test]
fn text_that_breaks_a_rule() {
    let kind = |text| as_segment(text).unwrap_err().problem;
    let byte = |text: &str, at: usize| KeyProblem::Byte { byte: text.as_bytes()[at], at };
    assert_eq!(kind(""), KeyProblem::Empty);
    for (text, at) in
        [("adA", 2), ("a:b", 1), ("{a", 0), ("a}", 1), ("a b", 1), ("a_", 1), ("é", 0), ("a\n", 1), ("\0", 0)]
    {
        assert_eq!(kind(text), byte(text, at), "{text:?}");
    }
    for (text, at) in [(".a", 0), ("a..b", 2), ("a.", 1), (".", 0)] {
        assert_eq!(kind(text), KeyProblem::StrayDot { at }, "{text:?}");
    }
    assert_eq!(as_word("a.b").unwrap_err().problem, KeyProblem::DotInWord { at: 1 });
    assert_eq!(as_word("ab").unwrap(), "ab");
}

#[test]
fn only_letters_and_digits_are_allowed() {
    for byte in 0..128u8 {
        let text = format!("a{}", char::from(byte));
        let allowed = byte.is_ascii_lowercase() || byte.is_ascii_digit();
        assert_eq!(as_segment(&text).is_ok(), allowed, "{text:?}");
    }
}

/// An implementation that writes several times.
struct Pieces(&'static [&'static str]);

impl KeySegment for Pieces {
    const LONGEST: Option<usize> = None;

    fn write(&self, out: &mut SegmentWriter<'_>) {
        for piece in self.0 {
            match piece.parse() {
                Ok(number) => out.number(number),
                Err(_) => out.text(piece),
            }
        }
    }
}

#[test]
fn no_implementation_can_break_a_rule() {
    let pieces = |pieces| as_segment(&Pieces(pieces));
    assert_eq!(pieces(&["a", ".", "7", "", "b"]).unwrap(), "a.7b");
    assert_eq!(pieces(&[]).unwrap_err().problem, KeyProblem::Empty);
    assert_eq!(pieces(&["", ""]).unwrap_err().problem, KeyProblem::Empty);
    assert_eq!(pieces(&["a", ".", "", ".b"]).unwrap_err().problem, KeyProblem::StrayDot { at: 2 });
    assert_eq!(pieces(&["a.", ""]).unwrap_err().problem, KeyProblem::StrayDot { at: 1 });
    assert_eq!(pieces(&["a.", "7", "."]).unwrap_err().problem, KeyProblem::StrayDot { at: 3 });
    assert_eq!(pieces(&["ab", "c:"]).unwrap_err().problem, KeyProblem::Byte { byte: b':', at: 3 });
}

struct Two {
    first: &'static str,
    second: i32,
}

impl RedisKey for Two {
    const DECLARATION: KeyLiterals =
        ("Two", "a:{first}:v.{second}:string", 0, "first: &'static str\nsecond: i32", "u64", "", "", 0, 0, 0);
    fn write_key(&self, key: &mut KeyWriter) -> &'static str {
        self.first.segment(key, "a:");
        KeySegment::word(&self.second, key, ":v.");
        ":string"
    }

    type Kind = kind::StringKey;
    type Fields = (&'static str, i32);

    fn from_fields((first, second): Self::Fields) -> Self {
        Self { first, second }
    }
}

#[test]
fn the_first_problem_is_reported_with_its_parameter() {
    let message = |first, second| Two { first, second }.key().unwrap_err().to_string();
    assert_eq!(
        message("B", -1),
        "parameter `first` of `Two` (a:{first}:v.{second}:string) contains an upper-case letter at byte 1: lower-case it, or, \
         if its case matters, add `#[redis_key(base32)]` to the field, or `#[redis_key(digest)]` for long text [lower-case]"
    );
    assert_eq!(
        message("b", -1),
        "parameter `second` of `Two` (a:{first}:v.{second}:string) is negative: keys have no sign, so use an unsigned type such as `u64` [alphabet]"
    );
    assert_eq!(Two { first: "b", second: 1 }.key().unwrap(), "a:b:v.1:string");
}

#[test]
fn messages_name_the_character_and_what_to_write() {
    const ALPHABET: &str = "keys contain only `a` to `z`, `0` to `9`, `.` and `:`";
    const ENCODE: &str = "add `#[redis_key(base32)]` to the field, or `#[redis_key(digest)]` for long text";
    let uuid = format!(
        "{ALPHABET}; make the field a `Uuid` if it holds UUIDs, add `#[redis_key(slug)]` if it holds slugs; otherwise {ENCODE}"
    );
    let other = format!("{ALPHABET}; {ENCODE}");
    for (user, message) in [
        ("67e55044-10b1-426f", format!("contains a `-` at byte 9: {uuid}")),
        ("green_tea", format!("contains a `_` at byte 6: {other}")),
        ("/img/tea.png", format!("contains a `/` at byte 1: {other}")),
        ("ada@example.org", format!("contains a `@` at byte 4: {other}")),
        ("a`", format!("contains a backtick at byte 2: {other}")),
        ("caf\u{e9}", format!("contains a non-ASCII character at byte 4: {other}")),
        ("9bTzq_-A", format!("contains a `_` at byte 6: {other}")),
        ("A-b", format!("contains a `-` at byte 2: {uuid}")),
        ("67E55044-10B1-426F", format!("contains a `-` at byte 9: {uuid}")),
        ("A.B", format!("contains an upper-case letter at byte 1: lower-case it, or, if its case matters, {ENCODE}")),
        ("a:b", format!("contains a `:` at byte 2: it separates the segments of a key; {ENCODE}")),
        ("a..b", format!("contains a `.` at byte 3 that is not between two words; {ENCODE}")),
    ] {
        let error = Name { user }.key().unwrap_err().to_string();
        let problem = error.strip_prefix("parameter `user` of `Name` (user:name:{user}:string) ").unwrap();
        assert_eq!(problem.rsplit_once(" [").unwrap().0, message, "{user}");
    }
}

#[test]
fn no_message_holds_the_parameter() {
    for user in [
        "secret:",
        "secret{",
        "secret ",
        "secret-",
        "secret_",
        "secret.",
        "SECRET",
        "sécret",
        "secret\u{1}",
        "secret\n",
    ] {
        let error = Name { user }.key().unwrap_err();
        let shown = format!("{error} {error:?}").to_lowercase();
        assert!(!shown.contains("secret") && !shown.contains("cret"), "{shown}");
        assert_eq!((error.kind(), error.sent(), error.key()), (ErrorKind::Parameter, SendStatus::No, None));
    }
}

#[test]
fn a_key_has_at_most_128_bytes() {
    let key = |len| {
        Name { user: &"x".repeat(len) }.key().map(|key| key.as_str().len()).map_err(|error| (error.rule(), error))
    };
    assert_eq!(key(128 - "user:name::string".len()).unwrap(), 128);
    let (rule, error) = key(129 - "user:name::string".len()).unwrap_err();
    assert_eq!((rule, error.kind()), (Some(Rule::KeyLength), ErrorKind::KeyLength));
    assert_eq!(
        key(1_000_000).unwrap_err().1.to_string(),
        "parameter `user` of `Name` (user:name:{user}:string) has 1000000 bytes, which makes the key 1000017 bytes long: \
         the limit is 128; for long text, add `#[redis_key(digest)]` to the field [key-length]"
    );
    // Text with dots is written byte by byte.
    assert!(Name { user: &"x.".repeat(1000) }.key().is_err());
}

#[derive(redis_keys_macros::KeySegment)]
#[redis_key(crate = crate)]
struct UserId(u64);

#[derive(redis_keys_macros::KeySegment)]
#[redis_key(crate = crate)]
struct Balance(UserIdOr<i64>);

#[derive(redis_keys_macros::KeySegment)]
#[redis_key(crate = crate)]
struct UserIdOr<T>(T);

#[derive(redis_keys_macros::KeySegment)]
#[redis_key(crate = crate)]
enum Section {
    BasicInfo,
    #[redis_key(rename = "orders")]
    PastOrders,
}

#[test]
fn derived_types() {
    longest(UserId(u64::MAX));
    longest(Balance(UserIdOr(i64::MAX)));
    longest(Section::BasicInfo);
    assert_eq!(as_segment(&Section::PastOrders).unwrap(), "orders");
    assert_eq!((Section::DOTTED, UserId::DOTTED, UserIdOr::<Section>::DOTTED), (true, false, true));
    assert_eq!(as_word(&Section::BasicInfo).unwrap_err().problem, KeyProblem::DotInWord { at: 5 });
    assert_eq!(
        as_segment(&Balance(UserIdOr(-1))).unwrap_err().problem,
        KeyProblem::Rejected("is negative: keys have no sign, so use an unsigned type such as `u64`")
    );
    assert_eq!(UserId(42).inner(), &42);
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:follows:{id % 1000}:of.{id}:{#of % 2}:set, value = u64, ttl = 1h, crate = crate)]
struct Follows<T> {
    id: T,
    of: Balance,
}

#[test]
fn shards_are_remainders() {
    let key = |id, of| Follows { id: UserId(id), of: Balance(UserIdOr(of)) }.key().unwrap();
    assert_eq!(key(42, 7), "user:follows:42:of.42:{1}:set");
    assert_eq!(key(1_000, 0), "user:follows:0:of.1000:{0}:set");
    assert_eq!(key(u64::MAX, i64::MAX), "user:follows:615:of.18446744073709551615:{1}:set");
    let error = Follows { id: -1_i8, of: Balance(UserIdOr(1)) }.key().unwrap_err().to_string();
    assert!(error.contains(" is negative"), "{error}");
    let error = Follows { id: 1_u8, of: Balance(UserIdOr(-1)) }.key().unwrap_err().to_string();
    assert!(error.contains(" is negative"), "{error}");
}

#[test]
fn remainders_of_all_integers() {
    fn shard(number: &impl Shardable) -> Option<u32> {
        number.remainder(1000)
    }
    assert_eq!(
        (shard(&u8::MAX), shard(&u16::MAX), shard(&u32::MAX), shard(&u64::MAX)),
        (Some(255), Some(535), Some(295), Some(615))
    );
    assert_eq!((shard(&u128::MAX), shard(&usize::MAX)), (Some(455), Some(615)));
    assert_eq!(
        (shard(&i8::MAX), shard(&i64::MAX), shard(&i128::MAX), shard(&isize::MAX)),
        (Some(127), Some(807), Some(727), Some(807))
    );
    assert_eq!((shard(&i8::MIN), shard(&-1_i128), shard(&0_i16), shard(&0_i32)), (None, None, Some(0), Some(0)));
    assert_eq!((shard(&NonZero::<u64>::MAX), shard(&NonZero::<i32>::MIN)), (Some(615), None));
    assert_eq!((u64::MAX.remainder(u32::MAX), 5_u8.remainder(u32::MAX), 5_u8.remainder(0)), (Some(0), Some(5), None));
    #[cfg(feature = "uuid")]
    assert_eq!(shard(&uuid::Uuid::from_u128(u128::MAX)), Some(455));
}

#[test]
fn the_schema_contains_the_shards() {
    let parameters = Follows::<u64>::SCHEMA.parameters.iter();
    let parameters =
        parameters.map(|parameter| (parameter.name, parameter.type_name, parameter.hash_tag, parameter.form));
    assert_eq!(
        parameters.collect::<Vec<_>>(),
        [
            ("id", "T", false, ParameterForm::Shard(1000)),
            ("id", "T", false, ParameterForm::Plain),
            ("of", "Balance", true, ParameterForm::Shard(2)),
        ]
    );
}

#[test]
fn ip_addresses() {
    let (four, six) = (Ipv4Addr::new(192, 0, 2, 7), Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1));
    longest(Ipv4Addr::UNSPECIFIED);
    longest(Ipv6Addr::UNSPECIFIED);
    longest(IpAddr::V6(six));
    assert_eq!([as_word(&four).unwrap(), as_word(&IpAddr::V4(four)).unwrap()], ["c0000207"; 2]);
    assert_eq!([as_word(&six).unwrap(), as_word(&IpAddr::V6(six)).unwrap()], ["20010db8000000000000000000000001"; 2]);
    // The same host, but another address.
    assert_eq!(as_word(&IpAddr::V6(four.to_ipv6_mapped())).unwrap(), "00000000000000000000ffffc0000207");
    for address in [IpAddr::V4(Ipv4Addr::BROADCAST), IpAddr::V6(Ipv6Addr::LOCALHOST)] {
        assert!(IpAddr::VALUES.contains(as_word(&address).unwrap().as_bytes()), "{address}");
    }
}

#[cfg(feature = "uuid")]
#[test]
fn uuids() {
    longest(uuid::Uuid::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef));
    assert_eq!(as_segment(&uuid::Uuid::from_u128(0xF)).unwrap(), "0000000000000000000000000000000f");
}

#[cfg(all(feature = "chrono", feature = "jiff", feature = "time", feature = "uuid"))]
#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:visits:v.{id}:{of_chrono}:{of_time}:{of_jiff}:{of_either}:set, value = u64, ttl = 1h, crate = crate)]
struct Visits {
    id: uuid::Uuid,
    of_chrono: chrono::NaiveDate,
    of_time: time::Date,
    of_jiff: jiff::civil::Date,
    of_either: Date,
}

#[cfg(all(feature = "chrono", feature = "jiff", feature = "time", feature = "uuid"))]
use jiff::civil::Date;

#[cfg(all(feature = "chrono", feature = "jiff", feature = "time", feature = "uuid"))]
#[test]
fn keys_have_parameters_of_other_crates() {
    let text = "user:visits:v.0000000000000000000000000000000f:20261121:20261122:20261123:20261124:set";
    let visits = Visits::parse(text).unwrap();
    assert_eq!((visits.id.as_u128(), visits.of_time.day(), visits.of_either.day()), (15, 22, 24));
    assert_eq!(visits.key().unwrap(), text);
}

macro_rules! dates {
    ($($name:ident $feature:literal: $date:expr, $invalid_years:expr;)*) => {$(
        #[cfg(feature = $feature)]
        #[test]
        fn $name() {
            let date = $date;
            longest(date(2026));
            assert_eq!([0, 1999, 9999].map(|year| as_segment(&date(year)).unwrap()), ["00001201", "19991201", "99991201"]);
            for year in $invalid_years {
                let problem = as_segment(&date(year)).unwrap_err().problem;
                assert_eq!(problem, KeyProblem::Rejected("has a year outside 0 to 9999"), "{year}");
            }
        }
    )*};
}

dates! {
    dates_of_chrono "chrono": |year| chrono::NaiveDate::from_ymd_opt(year, 12, 1).unwrap(), [-1, 10_000];
    dates_of_jiff "jiff": |year| jiff::civil::date(year, 12, 1), [-1];
    dates_of_time "time": |year| time::Date::from_calendar_date(year, time::Month::December, 1).unwrap(), [-1];
}
