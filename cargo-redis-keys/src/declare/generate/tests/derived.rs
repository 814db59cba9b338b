//! The keys of the fixture as the derive builds and parses them.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::{NonZero, NonZeroI64, NonZeroU32};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use chrono::Datelike as _;
use redis_keys::parameter::bucket::{Day, Hour, Month, Week, Year};
use redis_keys::prelude::*;
use redis_keys::testing;
use uuid::Uuid;

use super::keys::*;
use crate::declare::generate::render::Reason;
use crate::declare::generate::value::Value;

/// A key of the fixture.
pub(super) struct Derived {
    pub(super) name: &'static str,
    pub(super) build: Build,
    /// `None` if the derive does not parse it: channels, for example, have no parser.
    pub(super) parse: Option<Parse>,
}

/// Builds a key. `Err` if the types of Rust refuse a value.
pub(super) type Build = fn(&[Value]) -> Result<Result<redis_keys::Key, redis_keys::Error>, Reason>;

/// Parses a key.
pub(super) type Parse = fn(&str) -> Option<Vec<Value>>;

/// A type of a field.
pub(super) trait Given<'v>: Sized {
    fn take(value: &'v Value) -> Result<Self, Reason>;
    fn give(&self) -> Value;
}

macro_rules! by_text {
    ($($ty:ty)*) => {$(
        impl Given<'_> for $ty {
            fn take(value: &Value) -> Result<Self, Reason> {
                let Value::Text(text) = value else { return Err(Reason::Type) };
                text.parse().map_err(|_| Reason::Range)
            }

            fn give(&self) -> Value {
                Value::text(self)
            }
        }
    )*};
}

by_text! {
    u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize NonZeroU32 NonZeroI64 NonZero<u8>
    Uuid IpAddr Ipv4Addr Ipv6Addr String
}

macro_rules! texts {
    ($($ty:ty)*) => {$(
        impl<'v> Given<'v> for $ty {
            fn take(value: &'v Value) -> Result<Self, Reason> {
                if let Value::Text(text) = value { Ok(text.as_str().into()) } else { Err(Reason::Type) }
            }

            fn give(&self) -> Value {
                Value::text(self)
            }
        }
    )*};
}

texts!(&'v str Box<str> Arc<str> Cow<'v, str>);

impl Given<'_> for bool {
    fn take(value: &Value) -> Result<Self, Reason> {
        if let Value::Bool(is) = value { Ok(*is) } else { Err(Reason::Type) }
    }

    fn give(&self) -> Value {
        Value::Bool(*self)
    }
}

impl Given<'_> for Vec<u8> {
    fn take(value: &Value) -> Result<Self, Reason> {
        if let Value::Bytes(bytes) = value { Ok(bytes.clone()) } else { Err(Reason::Type) }
    }

    fn give(&self) -> Value {
        Value::Bytes(self.clone())
    }
}

impl<const N: usize> Given<'_> for [u8; N] {
    fn take(value: &Value) -> Result<Self, Reason> {
        Vec::take(value)?.try_into().map_err(|_| Reason::Range)
    }

    fn give(&self) -> Value {
        Value::Bytes(self.to_vec())
    }
}

macro_rules! calendar {
    ($($ty:ty: $numbers:ident => $new:expr, $value:ident => [$($part:expr),*];)*) => {$(
        impl Given<'_> for $ty {
            fn take(value: &Value) -> Result<Self, Reason> {
                let Value::Calendar($numbers) = value else { return Err(Reason::Type) };
                (|| $new)().ok_or(Reason::Calendar)
            }

            fn give(&self) -> Value {
                let $value = self;
                Value::Calendar(vec![$(i64::from($part)),*])
            }
        }
    )*};
}

fn part<N: TryFrom<i64>>(numbers: &[i64], index: usize) -> Option<N> {
    N::try_from(*numbers.get(index)?).ok()
}

calendar! {
    Year: n => Year::new(part(n, 0)?), it => [it.year()];
    Month: n => Month::new(part(n, 0)?, part(n, 1)?), it => [it.year(), it.month()];
    Week: n => Week::new(part(n, 0)?, part(n, 1)?), it => [it.year(), it.week()];
    Day: n => Day::new(part(n, 0)?, part(n, 1)?, part(n, 2)?), it => [it.year(), it.month(), it.day()];
    Hour: n => Hour::new(part(n, 0)?, part(n, 1)?, part(n, 2)?, part(n, 3)?),
        it => [it.year(), it.month(), it.day(), it.hour()];
    // In a legacy text, chrono writes other years with a sign. Builders refuse them, as templates do.
    chrono::NaiveDate: n => chrono::NaiveDate::from_ymd_opt(part(n, 0)?, part(n, 1)?, part(n, 2)?)
        .filter(|date| (0..=9999).contains(&date.year())),
        it => [it.year(), it.month(), it.day()];
    time::Date: n => time::Date::from_calendar_date(part(n, 0)?, part::<u8>(n, 1)?.try_into().ok()?, part(n, 2)?).ok(),
        it => [it.year(), u8::from(it.month()), it.day()];
    jiff::civil::Date: n => jiff::civil::Date::new(part(n, 0)?, part(n, 1)?, part(n, 2)?).ok(),
        it => [it.year(), it.month(), it.day()];
}

macro_rules! newtypes {
    ($($ty:ident)*) => {$(
        impl<'v> Given<'v> for $ty {
            fn take(value: &'v Value) -> Result<Self, Reason> {
                Given::take(value).map($ty)
            }

            fn give(&self) -> Value {
                self.0.give()
            }
        }
    )*};
}

newtypes!(UserId AccountId Email);

macro_rules! names {
    ($($ty:ident { $($variant:ident $text:literal),* })*) => {$(
        impl Given<'_> for $ty {
            fn take(value: &Value) -> Result<Self, Reason> {
                match value {
                    $(Value::Text(text) if text == $text => Ok(Self::$variant),)*
                    _ => Err(Reason::Name),
                }
            }

            fn give(&self) -> Value {
                Value::text(match self { $(Self::$variant => $text),* })
            }
        }
    )*};
}

names! {
    Section { BasicInfo "basic.info", HTTPSession "http.session", IPv6 "ipv6", Top10 "top10" }
    Level { Gold "gold", Silver "silver" }
}

pub(super) fn take<'v, T: Given<'v>>(values: &'v [Value], index: &mut usize) -> Result<T, Reason> {
    *index += 1;
    T::take(values.get(*index - 1).ok_or(Reason::Type)?)
}

macro_rules! derived {
    ($($name:ident { $($field:tt),* } $($parsed:ident)?;)*) => {
        vec![$(Derived {
            name: stringify!($name),
            build: |_values| {
                #[allow(unused_mut, unused_variables)]
                let mut index = 0;
                Ok($name { $($field: take(_values, &mut index)?),* }.key())
            },
            parse: derived!(@ $($parsed)? $name $($field)*),
        }),*]
    };
    (@ parsed $name:ident $($field:tt)*) => {
        Some(|text| {
            let _key = $name::parse(text).ok()?;
            Some(vec![$(_key.$field.give()),*])
        })
    };
    (@ $name:ident $($field:tt)*) => { None };
}

/// The keys of the fixture, except those that are left out.
pub(super) fn all() -> Vec<Derived> {
    let mut all = derived! {
        Card { user_id } parsed;
        Private { class, bytes, r#type } parsed;
        r#struct { str, key } parsed;
        Unsigned { a, b, c, d, e } parsed;
        Signed { a, b, c, d, e } parsed;
        Wide { a, b } parsed;
        NonZeros { a, b, c } parsed;
        Stock { shop, item, on } parsed;
        Words { name, number, other } parsed;
        Texts { a, b } parsed;
        Page { slug } parsed;
        Post { slug } parsed;
        FileBytes { path, a, b } parsed;
        Results { query, blob };
        MailState { hash, email };
        Session { id } parsed;
        Hits { ip, a, b } parsed;
        Dates { a, b, c } parsed;
        Tasks { user_id, month } parsed;
        Calendar { year, month, week, day, hour } parsed;
        OfYear { year } parsed;
        OfWeek { week } parsed;
        OfDay { day } parsed;
        OfHour { hour } parsed;
        Follows { user_id };
        Sharded { user_id } parsed;
        Spread { id, wide };
        Part { section, level, id, email } parsed;
        Goods { user_id } parsed;
        Total { user_id } parsed;
        Preferences { user_id } parsed;
        Formats { a, b, c, d };
        Signs { e, f, g, h };
        Zeros { a, b } parsed;
        OldKinds { id, ip, flag, day, week } parsed;
        OldSession { tenant, session_id } parsed;
        Twice { a, b } parsed;
        Tail { name, number } parsed;
        Relayer { relayer } parsed;
        Label { group, name };
        Logins { user_id } parsed;
        Mails { queue } parsed;
        Batches { shop, id } parsed;
        Reports {} parsed;
        RenamedMails { queue } parsed;
        Thirds {} parsed;
        Requests { id } parsed;
        Unique { 0 } parsed;
        Events {} parsed;
    };
    let hot: Build = |values| {
        let mut index = 0;
        let key = Hot { id: take(values, &mut index)? };
        Ok(key.copy(take(values, &mut index)?).key())
    };
    let room: Build = |values| Ok(Room { room: take(values, &mut 0)? }.channel());
    all.extend([("Hot", hot), ("Room", room)].map(|(name, build)| Derived { name, build, parse: None }));
    all
}

/// The reason of an error, and the parameter that it names.
pub(super) fn reason(error: &redis_keys::Error) -> (Reason, Option<String>) {
    let text = error.to_string();
    let parameter = text.strip_prefix("parameter `").and_then(|rest| Some(rest.split_once('`')?.0.to_owned()));
    let reasons = [
        ("is empty", Reason::Empty),
        ("which ends it in the legacy text", Reason::Ends),
        ("which `no_colon` rules out", Reason::Colon),
        ("that is not between two words", Reason::StrayDot),
        ("beside other words", Reason::DotInWord),
        ("has more bytes than its option", Reason::SlugBytes),
        ("is not a slug", Reason::Slug),
        ("is negative", Reason::Range),
        ("copies, counted from 0", Reason::Range),
        ("outside 0 to 9999", Reason::Calendar),
        ("the limit is", Reason::TooLong),
        // Behind a text that is too long, a number is not written any more.
        ("is not written as a type of this name is", Reason::TooLong),
        ("contains", Reason::Byte),
    ];
    let found = reasons.into_iter().find(|(part, _)| text.contains(part));
    let (_, reason) = found.unwrap_or_else(|| panic!("an unknown error: {text}"));
    (reason, parameter.filter(|_| reason != Reason::TooLong))
}

/// The expiry of a key that is set at a time, without the jitter.
pub(super) fn expiry(name: &str, values: &[Value], now_ms: i64) -> Option<u64> {
    let _jitter = testing::fix_jitter(0.0);
    let offset = Duration::from_millis(now_ms.unsigned_abs());
    let epoch = SystemTime::UNIX_EPOCH;
    let _clock = testing::fix_clock(if now_ms < 0 { epoch - offset } else { epoch + offset });
    let mut index = 0;
    let text = match name {
        "Tasks" => {
            let user_id = take(values, &mut index).ok()?;
            testing::text(Tasks { user_id, month: take(values, &mut index).ok()? }.expire())
        }
        "OfYear" => testing::text(OfYear { year: take(values, &mut index).ok()? }.expire()),
        "OfWeek" => testing::text(OfWeek { week: take(values, &mut index).ok()? }.expire()),
        "OfDay" => testing::text(OfDay { day: take(values, &mut index).ok()? }.expire()),
        "OfHour" => testing::text(OfHour { hour: take(values, &mut index).ok()? }.expire()),
        other => panic!("{other} has no bucket"),
    };
    text.ok()?.first()?.rsplit(' ').next()?.parse().ok()
}
