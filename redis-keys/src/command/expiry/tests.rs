//! Expiries that count from the end of a bucket, for every type of key.

use std::time::{Duration, SystemTime};

use crate::parameter::bucket::{Day, Hour, Month, Year};
use crate::testing::{fix_clock, fix_jitter, text};
use crate::types::bitmap::BitInt;
use crate::types::geo::GeoPoint;
use crate::types::list::ListEnd;
use crate::{
    BitmapKey as _, Command, ErrorKind, GeoKey as _, HashKey as _, HyperLogLogKey as _, ListKey as _, RecordKey as _,
    RedisKey, Rule, SendStatus, SetKey as _, StreamKey as _, StringKey as _, ZSetKey as _,
};

#[derive(redis_keys_macros::RedisHash)]
#[redis_hash(crate = crate)]
struct Event {
    what: u64,
}

macro_rules! keys {
    ($($name:ident $kind:ident ($($option:tt)*);)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(user:tasks:{id}:{day}:$kind, ttl = 1h, ttl_from_end_of = day, $($option)*, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            id: u32,
            day: Day,
        }
    )*};
}

keys! {
    Note string (value = String, jitter = 10m);
    Count string (value = u64);
    Weight string (value = f64);
    Stock hash (field = String, value = u64);
    Record hash (value = Event);
    Items list (value = u64);
    Last list (value = u64, keep_last = 10);
    Tags set (value = u64);
    Best zset (value = u64);
    Bits bitmap (max_bytes = 1KB);
    Visitors hyperloglog (value = u64);
    Places geo (value = String);
    Log stream (value = Event);
    Short stream (value = Event, keep_last = 10);
}

/// Returns the time that many seconds before the end of 2026-11-21.
fn before_the_end(seconds: i64) -> SystemTime {
    let end = u64::try_from(day().end_seconds() - seconds).unwrap();
    SystemTime::UNIX_EPOCH + Duration::from_secs(end)
}

fn day() -> Day {
    Day::new(2026, 11, 21).unwrap()
}

const ID: u32 = 1;

/// All commands that write a key.
fn writes() -> Vec<(&'static str, Result<Vec<String>, crate::Error>)> {
    let day = day();
    let (note, items) = (Note { id: ID, day }, Items { id: ID, day });
    let (bits, stock, best) = (Bits { id: ID, day }, Stock { id: ID, day }, Best { id: ID, day });
    let (visitors, log) = (Visitors { id: ID, day }, Log { id: ID, day });
    let event = Event { what: 7 };
    vec![
        ("set", text(note.set("x"))),
        ("set_nx", text(note.set_nx("x"))),
        ("set_xx", text(note.set_xx("x"))),
        ("keep_ttl", text(note.set("x").keep_ttl())),
        ("get_ex", text(note.get_ex())),
        ("append", text(note.append("x"))),
        ("expire", text(note.expire())),
        ("incr", text(Count { id: ID, day }.incr())),
        ("incr_by_float", text(Weight { id: ID, day }.incr_by_float(0.5))),
        ("hset", text(stock.hset("a", &1))),
        ("hset_many", text(stock.hset_many([("a", 1)]))),
        ("hset_nx", text(stock.hset_nx("a", &1))),
        ("hincr", text(stock.hincr("a", 1))),
        ("store", text(Record { id: ID, day }.store(&event))),
        ("record hset", text(Record { id: ID, day }.hset(Event::WHAT, &1))),
        ("lpush", text(items.lpush(&1))),
        ("lpush trimmed", text(Last { id: ID, day }.lpush_many([1, 2]))),
        ("lmove", text(Items { id: 2, day }.lmove(&items, ListEnd::Left, ListEnd::Right))),
        ("sadd", text(Tags { id: ID, day }.sadd(&1))),
        ("zadd", text(best.zadd(&1, 0.5))),
        ("zincr", text(best.zincr(&1, 0.5))),
        ("setbit", text(bits.setbit(1, true))),
        ("bitfield", text(bits.bitfield().incr(BitInt::u::<5>(), 0, 1))),
        ("pfadd", text(visitors.pfadd(&1))),
        ("pfmerge", text(visitors.pfmerge(&[Visitors { id: 2, day }]))),
        ("geoadd", text(Places { id: ID, day }.geoadd("a", GeoPoint { longitude: 1.0, latitude: 2.0 }))),
        ("xadd", text(log.xadd(&event))),
        ("xadd trimmed", text(Short { id: ID, day }.xadd(&event))),
    ]
}

#[test]
fn every_write_expires_after_the_end_of_the_day() {
    let _jitter = fix_jitter(0.0);
    // The day ends in an hour, and the key an hour later.
    let _clock = fix_clock(before_the_end(3600));
    for (name, sent) in writes() {
        let sent = sent.unwrap().join(" ");
        assert!(sent.split(' ').any(|word| word == "7200000"), "{name}: {sent}");
    }
}

#[test]
fn after_the_day_the_rest_of_the_ttl_is_left() {
    let _jitter = fix_jitter(1.0);
    let _clock = fix_clock(before_the_end(-3599));
    let note = Note { id: ID, day: day() };
    assert_eq!(text(note.set("x")).unwrap(), ["SET user:tasks:1:20261121:string x PX 601000"]);
    assert_eq!(text(note.expire()).unwrap(), ["PEXPIRE user:tasks:1:20261121:string 601000"]);
}

#[test]
fn after_the_ttl_nothing_is_written() {
    let _jitter = fix_jitter(1.0);
    let _clock = fix_clock(before_the_end(-3600));
    for (name, sent) in writes() {
        let error = sent.err().unwrap_or_else(|| panic!("{name} is sent"));
        assert_eq!(
            (error.kind(), error.sent(), error.rule()),
            (ErrorKind::Expiry, SendStatus::No, Some(Rule::Expiry)),
            "{name}"
        );
        assert!(error.key().is_some_and(|key| key.starts_with("user:tasks:")), "{name}");
    }
    let note = Note { id: ID, day: day() };
    assert_eq!(
        text(note.set("x")).unwrap_err().to_string(),
        "expiry of `Note` (user:tasks:1:20261121:string) has already passed: the key expires 1h after the end of its \
         day [expiry]"
    );
}

#[test]
fn an_expiry_of_more_than_ten_years_is_refused() {
    const TEN_YEARS: i64 = 3650 * 86_400;
    let _jitter = fix_jitter(1.0);
    // As that of a machine without a battery.
    let _clock = fix_clock(SystemTime::UNIX_EPOCH);
    for (name, sent) in writes() {
        let error = sent.err().unwrap_or_else(|| panic!("{name} is sent"));
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Expiry, SendStatus::No), "{name}");
    }
    let note = Note { id: ID, day: day() };
    assert_eq!(
        text(note.set("x")).unwrap_err().to_string(),
        "expiry of `Note` (user:tasks:1:20261121:string) exceeds the limit of ten years: check the clock and the \
         parameter [expiry]"
    );
    // The hour of the `ttl` counts.
    let _clock = fix_clock(before_the_end(TEN_YEARS - 3600));
    assert!(text(note.set("x")).is_ok());
    let _clock = fix_clock(before_the_end(TEN_YEARS - 3599));
    assert!(text(note.set("x")).is_err());
}

#[test]
fn commands_that_do_not_write_are_sent_anyway() {
    let _clock = fix_clock(before_the_end(-3600));
    let (note, bits) = (Note { id: ID, day: day() }, Bits { id: ID, day: day() });
    assert!(text(note.get()).is_ok() && text(note.unlink()).is_ok() && text(note.exists()).is_ok());
    assert!(text(bits.bitfield().get(BitInt::u::<5>(), 0)).is_ok());
    assert!(text(Tags { id: ID, day: day() }.srem(&1)).is_ok());
}

#[test]
fn an_explicit_expiry_is_at_most_the_declared_one() {
    let _clock = fix_clock(before_the_end(3600));
    let set = |seconds| text(Note { id: ID, day: day() }.set("x").expire_in(Duration::from_secs(seconds)));
    assert_eq!(set(7200).unwrap(), ["SET user:tasks:1:20261121:string x PX 7200000"]);
    assert!(
        set(7201)
            .unwrap_err()
            .to_string()
            .contains("exceeds the declared `ttl` of 1h after the end of its day [expiry]")
    );
    let until = |seconds: i64| text(Note { id: ID, day: day() }.set("x").expire_at(before_the_end(3600 - seconds)));
    assert!(until(7200).is_ok() && until(7201).is_err());
    let field = |seconds| text(Stock { id: ID, day: day() }.hexpire("a", Duration::from_secs(seconds)));
    assert!(field(7200).is_ok() && field(7201).is_err());
}

#[derive(redis_keys_macros::KeySegment)]
#[redis_key(crate = crate)]
struct BookedTime<T>(T);

macro_rules! buckets {
    ($($name:ident $span:ident: $ty:ty;)*) => {$(
        #[derive(redis_keys_macros::RedisKey)]
        #[redis_key(user:tasks:{$span}:string, value = u64, ttl = 1s, ttl_from_end_of = $span, allow(overlap, reason = "each test has keys of its own"), crate = crate)]
        struct $name {
            $span: $ty,
        }
    )*};
}

buckets! {
    OfAYear year: Year;
    OfAMonth month: BookedTime<Month>;
    OfAnHour hour: Hour;
}

#[cfg(all(feature = "chrono", feature = "jiff", feature = "time"))]
buckets! {
    OfChrono day: chrono::NaiveDate;
    OfJiff day: jiff::civil::Date;
    OfTime day: BookedTime<time::Date>;
}

#[derive(redis_keys_macros::RedisKey)]
#[redis_key(user:tasks.lent:{month}:string, value = u64, ttl = 1s, ttl_from_end_of = month, crate = crate)]
struct LentTasks<'m, T> {
    month: &'m BookedTime<&'m T>,
}

fn expiry(command: Command<()>) -> u64 {
    text(command).unwrap().join(" ").rsplit(' ').next().unwrap().parse().unwrap()
}

#[test]
fn each_bucket_has_its_end() {
    const DAY: u64 = 86_400_000;
    let _clock = fix_clock(Hour::new(2026, 11, 21, 12).unwrap().start());
    assert_eq!(expiry(OfAYear { year: Year::now() }.set(&1).into()), (31 + 9) * DAY + DAY / 2 + 1_000);
    assert_eq!(expiry(OfAMonth { month: BookedTime(Month::now()) }.set(&1).into()), 9 * DAY + DAY / 2 + 1_000);
    assert_eq!(expiry(OfAnHour { hour: Hour::now() }.set(&1).into()), 3_601_000);
    assert_eq!(expiry(LentTasks { month: &BookedTime(&Month::now()) }.set(&1).into()), 9 * DAY + DAY / 2 + 1_000);
    assert_eq!(
        expiry(OfAMonth { month: BookedTime(Month::new(2026, 12).unwrap()) }.set(&1).into()),
        40 * DAY + DAY / 2 + 1_000
    );
    #[cfg(all(feature = "chrono", feature = "jiff", feature = "time"))]
    {
        let half = DAY / 2 + 1_000;
        let chrono = OfChrono { day: chrono::NaiveDate::from_ymd_opt(2026, 11, 21).unwrap() };
        let time = time::Date::from_calendar_date(2026, time::Month::November, 21).unwrap();
        assert_eq!(expiry(chrono.set(&1).into()), half);
        assert_eq!(expiry(OfJiff { day: jiff::civil::date(2026, 11, 21) }.set(&1).into()), half);
        assert_eq!(expiry(OfTime { day: BookedTime(time) }.set(&1).into()), half);
        // An invalid parameter is reported as such.
        let early = OfJiff { day: jiff::civil::date(-1, 1, 1) }.key().unwrap_err();
        assert_eq!(early.kind(), ErrorKind::Parameter);
        let early = text(OfJiff { day: jiff::civil::date(-1, 1, 1) }.set(&1)).unwrap_err();
        assert_eq!(early.kind(), ErrorKind::Parameter);
    }
    let _clock = fix_clock(Hour::new(1969, 1, 1, 0).unwrap().start());
    assert_eq!(expiry(OfAYear { year: Year::now() }.set(&1).into()), 365 * DAY + 1_000);
}

#[test]
fn the_schema_contains_the_parameter() {
    assert_eq!((Note::SCHEMA.ttl_from_end_of, OfAYear::SCHEMA.ttl_from_end_of), (Some("day"), Some("year")));
    assert_eq!(crate::tests::keys::Views::SCHEMA.ttl_from_end_of, None);
}
