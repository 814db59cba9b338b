//! The text of buckets, their order, and that they agree with the calendars of other crates.

use std::time::{Duration, SystemTime};

use proptest::prelude::*;

use super::sequence::{Bucket, system_time, unix_seconds};
use super::{BucketError, Buckets, Day, Hour, Month, Year};
use crate::KeySegment;
use crate::key::KeyWriter;
use crate::testing::fix_clock;

fn written(bucket: &impl KeySegment) -> String {
    let mut key = KeyWriter::new();
    bucket.write(&mut key.segment());
    key.finish().unwrap().to_string()
}

fn at(text: &str) -> SystemTime {
    system_time(Hour::start_seconds(text.parse().unwrap()))
}

#[test]
fn all_digits_are_written() {
    let all = |year, month, day, hour| {
        let hour = Hour::new(year, month, day, hour).unwrap();
        let (day, month, year) = (Day::from(hour), Month::from(hour), Year::from(hour));
        assert_eq!(
            [written(&year), written(&month), written(&day), written(&hour)],
            [year.to_string(), month.to_string(), day.to_string(), hour.to_string()]
        );
        [year.to_string(), month.to_string(), day.to_string(), hour.to_string()]
    };
    assert_eq!(all(2026, 11, 21, 12), ["2026", "202611", "20261121", "2026112112"]);
    assert_eq!(all(0, 1, 1, 0), ["0000", "000001", "00000101", "0000010100"]);
    assert_eq!(all(9999, 12, 31, 23), ["9999", "999912", "99991231", "9999123123"]);
    assert_eq!([Year::LONGEST, Month::LONGEST, Day::LONGEST, Hour::LONGEST], [Some(4), Some(6), Some(8), Some(10)]);
    assert_eq!(format!("{:?} {:>8}", Month::new(26, 1).unwrap(), Month::new(26, 1).unwrap()), "Month(002601)   002601");
}

#[test]
fn parts_are_what_they_were_made_of() {
    let hour = Hour::new(2028, 2, 29, 23).unwrap();
    assert_eq!((hour.year(), hour.month(), hour.day(), hour.hour()), (2028, 2, 29, 23));
    let day = Day::from(hour);
    assert_eq!((day.year(), day.month(), day.day()), (2028, 2, 29));
    assert_eq!(
        (Month::from(day).year(), Month::from(day).month(), Year::from(Month::from(day)).year()),
        (2028, 2, 2028)
    );
}

/// Built at compile time.
const NOVEMBER: Option<Month> = Month::new(2026, 11);

#[test]
fn invalid_dates_are_none() {
    assert_eq!(NOVEMBER.map(Month::month), Some(11));
    assert!(Year::new(10_000).is_none() && Month::new(2026, 0).is_none() && Month::new(2026, 13).is_none());
    assert!(Month::new(10_000, 1).is_none() && Day::new(2026, 2, 29).is_none() && Day::new(2026, 4, 31).is_none());
    assert!(Hour::new(2026, 1, 1, 24).is_none() && Hour::new(2026, 1, 0, 0).is_none());
}

#[test]
fn only_canonical_text_is_parsed() {
    for text in ["", "2026", "20261", "2026111", "202600", "202613", "+20261", "2026-1", "２０２６", " 20261", "20261a"]
    {
        assert_eq!(text.parse::<Month>(), Err(BucketError { message: "not a month such as `202611`" }), "{text:?}");
    }
    assert!("20260229".parse::<Day>().is_err() && "2026010124".parse::<Hour>().is_err());
    assert!(
        "9999999999".parse::<Hour>().is_err() && "026".parse::<Year>().is_err() && "00026".parse::<Year>().is_err()
    );
    assert_eq!("0026".parse(), Ok(Year::new(26).unwrap()));
}

#[test]
fn buckets_start_and_end_on_time() {
    let month = Month::new(2026, 12).unwrap();
    assert_eq!((month.start(), month.end()), (at("2026120100"), at("2027010100")));
    assert_eq!(Year::new(1970).unwrap().start(), SystemTime::UNIX_EPOCH);
    assert_eq!(Hour::new(1969, 12, 31, 23).unwrap().end(), SystemTime::UNIX_EPOCH);
    assert_eq!(unix_seconds(Year::new(9999).unwrap().end()), 253_402_300_800);
    assert_eq!(Year::new(9999).unwrap().end_seconds(), Hour::new(9999, 12, 31, 23).unwrap().end_seconds());
}

#[test]
fn a_time_out_of_range_is_in_the_first_or_last_bucket() {
    let (early, late) = (system_time(-99_999_999_999), system_time(999_999_999_999));
    assert_eq!((Year::at(early), Hour::at(late)), (Year::new(0).unwrap(), Hour::new(9999, 12, 31, 23).unwrap()));
    assert_eq!((Day::at(early), Month::at(late)), (Day::new(0, 1, 1).unwrap(), Month::new(9999, 12).unwrap()));
    let before = SystemTime::UNIX_EPOCH - Duration::from_nanos(1);
    assert_eq!(Hour::at(before), Hour::new(1969, 12, 31, 23).unwrap());
}

#[test]
fn the_last_buckets_end_with_now() {
    let _clock = fix_clock(at("2026011512"));
    assert_eq!(Day::now().to_string(), "20260115");
    let months: Vec<_> = Month::last(3).map(|month| month.to_string()).collect();
    assert_eq!(months, ["202511", "202512", "202601"]);
    assert_eq!(Hour::last(0).len(), 0);
    assert_eq!(Year::last(u32::MAX).len(), 2027);
}

#[test]
fn a_range_is_double_ended() {
    let [first, last] = ["2026022823", "2026030101"].map(|text| text.parse::<Hour>().unwrap());
    let mut range = Hour::range(first..=last);
    assert_eq!((range.len(), format!("{range:?}")), (3, "2026022823..=2026030101".to_owned()));
    assert_eq!(range.next_back(), Some(last));
    assert_eq!(range.clone().rev().map(|hour| hour.to_string()).collect::<Vec<_>>(), ["2026030100", "2026022823"]);
    assert_eq!(range.nth(1).map(|hour| hour.to_string()).as_deref(), Some("2026030100"));
    assert_eq!((range.next(), range.next_back(), format!("{range:?}")), (None, None, "no buckets".to_owned()));
    assert_eq!(Hour::range(last..=first).len(), 0);
    let ends = Day::new(0, 1, 1).unwrap()..=Day::new(9999, 12, 31).unwrap();
    assert_eq!(Day::range(ends).len(), 3_652_425);
}

fn index_round_trip<B: Bucket + PartialEq + std::fmt::Debug>(index: u32) {
    let index = index % (B::LAST_INDEX + 1);
    let bucket = B::from_index(index);
    assert_eq!(bucket.index(), index);
    let start = bucket.start_seconds();
    assert_eq!((B::at_seconds(start), B::at_seconds(start - 1) == Some(bucket)), (Some(bucket), false));
    let mut buckets: Buckets<B> = Buckets::new(index..index + 1);
    assert_eq!((buckets.next(), buckets.next()), (Some(bucket), None));
}

proptest! {
    #[test]
    fn every_index_has_its_bucket(index: u32) {
        index_round_trip::<Year>(index);
        index_round_trip::<Month>(index);
        index_round_trip::<Day>(index);
        index_round_trip::<Hour>(index);
    }

    #[test]
    fn text_round_trip(index in 0..=Hour::LAST_INDEX) {
        let hour = Hour::from_index(index);
        prop_assert_eq!(hour.to_string().parse(), Ok(hour));
        let day = Day::from(hour);
        prop_assert_eq!(day.to_string().parse(), Ok(day));
        prop_assert_eq!(Day::new(day.year(), day.month(), day.day()), Some(day));
        let (month, year) = (Month::from(day), Year::from(day));
        prop_assert_eq!((month.to_string().parse(), year.to_string().parse()), (Ok(month), Ok(year)));
        // Wider buckets contain it.
        prop_assert!(month.start() <= hour.start() && hour.end() <= month.end() && month.end() <= year.end());
        prop_assert_eq!(hour.next().and_then(Hour::previous), hour.next().map(|_| hour));
    }

    #[test]
    fn accepted_text_is_canonical(text in "[0-9]{0,11}|.*") {
        if let Ok(hour) = text.parse::<Hour>() {
            prop_assert_eq!(hour.to_string(), text.clone());
        }
        if let Ok(month) = text.parse::<Month>() {
            prop_assert_eq!(month.to_string(), text);
        }
    }

    #[cfg(feature = "time")]
    #[test]
    fn time_agrees(seconds in -62_167_219_200..253_402_300_800_i64, nanos in 0..1_000_000_000_i64) {
        let time = time::OffsetDateTime::from_unix_timestamp(seconds).unwrap() + time::Duration::nanoseconds(nanos);
        let date = time.date();
        let hour = Hour::try_from(time).unwrap();
        let parts = (u16::try_from(date.year()).unwrap(), u8::from(date.month()), date.day(), time.hour());
        prop_assert_eq!((hour.year(), hour.month(), hour.day(), hour.hour()), parts);
        prop_assert_eq!(Day::try_from(date), Ok(Day::from(hour)));
        prop_assert_eq!(Hour::at(system_time(seconds) + Duration::from_nanos(nanos.unsigned_abs())), hour);
    }

    #[cfg(feature = "chrono")]
    #[test]
    fn chrono_agrees(seconds in -62_167_219_200..253_402_300_800_i64, nanos in 0..1_000_000_000_u32, ahead in -12..=14_i32) {
        use chrono::{Datelike as _, Timelike as _};
        let time = chrono::DateTime::from_timestamp(seconds, nanos).unwrap();
        let hour = Hour::try_from(time).unwrap();
        let parts = (u16::try_from(time.year()).unwrap(), time.month(), time.day(), time.hour());
        prop_assert_eq!((hour.year(), u32::from(hour.month()), u32::from(hour.day()), u32::from(hour.hour())), parts);
        prop_assert_eq!(Day::try_from(time.date_naive()), Ok(Day::from(hour)));
        // The time zone does not matter.
        let there = time.with_timezone(&chrono::FixedOffset::east_opt(ahead * 3600).unwrap());
        prop_assert_eq!(Hour::try_from(there), Ok(hour));
    }

    #[cfg(feature = "jiff")]
    #[test]
    fn jiff_agrees(seconds in -62_167_219_200..253_402_207_200_i64, nanos in 0..1_000_000_000_i32) {
        let time = jiff::Timestamp::new(seconds, nanos).unwrap();
        let there = time.to_zoned(jiff::tz::TimeZone::UTC);
        let hour = Hour::try_from(time).unwrap();
        let parts = (there.year().unsigned_abs(), there.month().unsigned_abs(), there.day().unsigned_abs(), there.hour().unsigned_abs());
        prop_assert_eq!((hour.year(), hour.month(), hour.day(), hour.hour()), parts);
        prop_assert_eq!(Day::try_from(there.date()), Ok(Day::from(hour)));
    }
}

#[cfg(feature = "chrono")]
#[test]
fn years_out_of_range_are_errors() {
    let date = |year| chrono::NaiveDate::from_ymd_opt(year, 1, 31).unwrap();
    for year in [-1, 10_000] {
        assert_eq!(Month::try_from(date(year)), Err(BucketError::YEAR));
        assert!(Day::try_from(date(year).and_hms_opt(1, 0, 0).unwrap().and_utc()).is_err());
    }
    assert_eq!(Month::try_from(date(2026)), Ok(Month::new(2026, 1).unwrap()));
}
