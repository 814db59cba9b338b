//! What each parameter type writes, and what is refused.

use std::{borrow::Cow, num::NonZero, sync::Arc};

use redis_keys_core::Rule;

use super::{KeySegment, Newtype, SegmentWriter};
use crate::{
    __private::Declared,
    ErrorKind, RedisKey, Sent,
    key::{KeyFault, KeyFaultKind, KeyWriter},
    testing::keys::Name,
};

#[cfg(all(feature = "base32", feature = "digest"))]
mod encodings;
mod shards;

fn as_segment(value: &(impl KeySegment + ?Sized)) -> Result<String, KeyFault> {
    let mut key = KeyWriter::new();
    value.write(&mut key.segment());
    key.finish().map(|key| key.to_string())
}

fn as_word(value: &(impl KeySegment + ?Sized)) -> Result<String, KeyFault> {
    let mut key = KeyWriter::new();
    value.write(&mut key.word());
    key.finish().map(|key| key.to_string())
}

/// Numbers say how long they can be, and are so long.
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
fn negative_numbers_are_refused() {
    let refused = KeyFaultKind::Refused("is negative; a key has no sign");
    assert_eq!(as_segment(&-1i8).unwrap_err().kind, refused);
    assert_eq!(as_segment(&i128::MIN).unwrap_err().kind, refused);
    assert_eq!(refused.rule(), Rule::Alphabet);
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
    let kind = |text| as_segment(text).unwrap_err().kind;
    let byte = |text: &str, at: usize| KeyFaultKind::Byte { byte: text.as_bytes()[at], at };
    assert_eq!(kind(""), KeyFaultKind::Empty);
    for (text, at) in
        [("adA", 2), ("a:b", 1), ("{a", 0), ("a}", 1), ("a b", 1), ("a_", 1), ("é", 0), ("a\n", 1), ("\0", 0)]
    {
        assert_eq!(kind(text), byte(text, at), "{text:?}");
    }
    for (text, at) in [(".a", 0), ("a..b", 2), ("a.", 1), (".", 0)] {
        assert_eq!(kind(text), KeyFaultKind::Dot { at, lone: true }, "{text:?}");
    }
    assert_eq!(as_word("a.b").unwrap_err().kind, KeyFaultKind::Dot { at: 1, lone: false });
    assert_eq!(as_word("ab").unwrap(), "ab");
}

#[test]
fn every_byte_is_let_through_or_refused() {
    for byte in 0..128u8 {
        let text = format!("a{}", char::from(byte));
        let allowed = byte.is_ascii_lowercase() || byte.is_ascii_digit();
        assert_eq!(as_segment(&text).is_ok(), allowed, "{text:?}");
    }
}

/// An implementation that writes its text in pieces.
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
    assert_eq!(pieces(&[]).unwrap_err().kind, KeyFaultKind::Empty);
    assert_eq!(pieces(&["", ""]).unwrap_err().kind, KeyFaultKind::Empty);
    assert_eq!(pieces(&["a", ".", "", ".b"]).unwrap_err().kind, KeyFaultKind::Dot { at: 2, lone: true });
    assert_eq!(pieces(&["a.", ""]).unwrap_err().kind, KeyFaultKind::Dot { at: 1, lone: true });
    assert_eq!(pieces(&["a.", "7", "."]).unwrap_err().kind, KeyFaultKind::Dot { at: 3, lone: true });
    assert_eq!(pieces(&["ab", "c:"]).unwrap_err().kind, KeyFaultKind::Byte { byte: b':', at: 3 });
}

struct Two {
    first: &'static str,
    second: i32,
}

impl RedisKey for Two {
    const DECLARED: Declared =
        ("Two", "a:{first}:v.{second}:string", 0, "first: &'static str\nsecond: i32", "u64", "", "", 0, 0, 0);

    fn write_key(&self, key: &mut KeyWriter) -> &'static str {
        self.first.segment(key, "a:");
        self.second.word(key, ":v.");
        ":string"
    }

    type Fields = (&'static str, i32);

    fn from_fields((first, second): Self::Fields) -> Self {
        Self { first, second }
    }
}

#[test]
fn the_first_fault_is_told_with_its_parameter() {
    let told = |first, second| Two { first, second }.key().unwrap_err().to_string();
    assert_eq!(
        told("B", -1),
        "parameter `first` of `Two` (a:{first}:v.{second}:string) has an upper-case letter at byte 1; keys are lower \
         case [lower-case]"
    );
    assert_eq!(
        told("b", -1),
        "parameter `second` of `Two` (a:{first}:v.{second}:string) is negative; a key has no sign [alphabet]"
    );
    assert_eq!(Two { first: "b", second: 1 }.key().unwrap(), "a:b:v.1:string");
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
        assert_eq!((error.kind(), error.sent(), error.key()), (ErrorKind::Parameter, Sent::No, None));
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
        "parameter `user` of `Name` (user:name:{user}:string) has 1000000 bytes, which makes a key of 1000017; a key \
         has at most 128 [key-length]"
    );
    // The same by the byte, where a dot asks for more care.
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
fn types_of_ones_own() {
    longest(UserId(u64::MAX));
    longest(Balance(UserIdOr(i64::MAX)));
    longest(Section::BasicInfo);
    assert_eq!(as_segment(&Section::PastOrders).unwrap(), "orders");
    assert_eq!((Section::DOTTED, UserId::DOTTED, UserIdOr::<Section>::DOTTED), (true, false, true));
    assert_eq!(as_word(&Section::BasicInfo).unwrap_err().kind, KeyFaultKind::Dot { at: 5, lone: false });
    assert_eq!(
        as_segment(&Balance(UserIdOr(-1))).unwrap_err().kind,
        KeyFaultKind::Refused("is negative; a key has no sign")
    );
    assert_eq!(UserId(42).inner(), &42);
}

#[cfg(feature = "uuid")]
#[test]
fn uuids() {
    longest(uuid::Uuid::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef));
    assert_eq!(as_segment(&uuid::Uuid::from_u128(0xF)).unwrap(), "0000000000000000000000000000000f");
}

#[cfg(feature = "chrono")]
#[test]
fn days_of_chrono() {
    let day = |year| chrono::NaiveDate::from_ymd_opt(year, 1, 31).unwrap();
    longest(day(2026));
    assert_eq!([0, 1999, 9999].map(|year| as_segment(&day(year)).unwrap()), ["00000131", "19990131", "99990131"]);
    assert!([-1, 10_000].iter().all(|year| as_segment(&day(*year)).is_err()));
}

#[cfg(feature = "jiff")]
#[test]
fn days_of_jiff() {
    let day = |year| jiff::civil::date(year, 12, 1);
    longest(day(2026));
    assert_eq!([0, 1999, 9999].map(|year| as_segment(&day(year)).unwrap()), ["00001201", "19991201", "99991201"]);
    assert!(as_segment(&day(-1)).is_err());
}

#[cfg(feature = "time")]
#[test]
fn days_of_time() {
    let day = |year| time::Date::from_calendar_date(year, time::Month::December, 1).unwrap();
    longest(day(2026));
    assert_eq!([0, 1999, 9999].map(|year| as_segment(&day(year)).unwrap()), ["00001201", "19991201", "99991201"]);
    assert!(as_segment(&day(-1)).is_err());
}
