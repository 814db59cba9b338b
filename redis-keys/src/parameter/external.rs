//! Parameter types of other crates: `Uuid`, and the dates and times of chrono, jiff and time.
//!
//! A date is the same as its [`Day`]: `20260131`. Times are converted to buckets, in UTC.

#[cfg(feature = "uuid")]
use uuid::{Uuid, fmt::Simple};

#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
use super::bucket::{Bucket as _, BucketError, Day, Hour, Month, Year, bucket_end};
use super::{KeySegment, ParseSegment, SegmentWriter, ValueSet};

/// 32 hexadecimal digits, without dashes.
#[cfg(feature = "uuid")]
#[diagnostic::do_not_recommend]
impl KeySegment for Uuid {
    const LONGEST: Option<usize> = Some(Simple::LENGTH);
    const VALUES: ValueSet = ValueSet::Hex { digits: 32 };

    fn write(&self, out: &mut SegmentWriter<'_>) {
        out.digits(self.simple().encode_lower(&mut [0; Simple::LENGTH]));
    }
}

#[cfg(feature = "uuid")]
#[diagnostic::do_not_recommend]
impl ParseSegment<'_> for Uuid {
    fn parse(text: &str) -> Result<Self, &'static str> {
        Self::try_parse(text).map_err(|_| "is not a UUID of 32 hexadecimal digits")
    }
}

#[cfg(feature = "uuid")]
#[diagnostic::do_not_recommend]
impl super::Shardable for Uuid {
    fn remainder(&self, shards: u32) -> Option<u32> {
        self.as_u128().remainder(shards)
    }
}

macro_rules! dates {
    ($($feature:literal $date:ty: $parts:expr, $from_day:expr;)*) => {$(
        #[cfg(feature = $feature)]
        #[diagnostic::do_not_recommend]
        impl KeySegment for $date {
            const LONGEST: Option<usize> = Day::LONGEST;
            const VALUES: ValueSet = Day::VALUES;

            fn write(&self, out: &mut SegmentWriter<'_>) {
                match Day::try_from(*self) {
                    Ok(day) => day.write(out),
                    Err(_) => out.reject("has a year outside 0 to 9999"),
                }
            }
        }

        #[cfg(feature = $feature)]
        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for $date {
            fn parse(text: &str) -> Result<Self, &'static str> {
                let from_day: fn(Day) -> Option<$date> = $from_day;
                from_day(Day::parse(text)?).ok_or("is not a valid date")
            }
        }

        #[cfg(feature = $feature)]
        bucket_end!($date as Day: |date| Day::try_from(*date).ok().map(Day::end_seconds));

        dates!(@ $feature $date: $parts; Year Month Day);
    )*};
    (@ $feature:literal $date:ty: $parts:expr; $($bucket:ident)*) => {$(
        #[cfg(feature = $feature)]
        #[cfg_attr(docsrs, doc(cfg(feature = $feature)))]
        impl TryFrom<$date> for $bucket {
            type Error = BucketError;

            fn try_from(date: $date) -> Result<Self, BucketError> {
                let parts: fn($date) -> (i32, u32, u32) = $parts;
                let (year, month, day) = parts(date);
                let year = u32::try_from(year).map_err(|_| BucketError::YEAR)?;
                Day::from_parts(year, month, day).map($bucket::from).ok_or(BucketError::YEAR)
            }
        }
    )*};
}

dates! {
    "chrono" chrono::NaiveDate:
        |date| {
            use chrono::Datelike as _;
            (date.year(), date.month(), date.day())
        },
        |day| chrono::NaiveDate::from_ymd_opt(day.year().into(), day.month().into(), day.day().into());
    "jiff" jiff::civil::Date:
        |date| (date.year().into(), date.month().unsigned_abs().into(), date.day().unsigned_abs().into()),
        |day| {
            let year = day.year().try_into().ok()?;
            jiff::civil::Date::new(year, day.month().try_into().ok()?, day.day().try_into().ok()?).ok()
        };
    "time" time::Date:
        |date| (date.year(), u8::from(date.month()).into(), date.day().into()),
        |day| time::Date::from_calendar_date(day.year().into(), day.month().try_into().ok()?, day.day()).ok();
}

macro_rules! times {
    ($($feature:literal [$($generics:tt)*] $time:ty: $seconds:expr;)*) => {$(
        times!(@ $feature [$($generics)*] $time: $seconds; Year Month Day Hour);
    )*};
    (@ $feature:literal $generics:tt $time:ty: $seconds:expr; $($bucket:ident)*) => {$(
        times!(@@ $feature $generics $time: $seconds; $bucket);
    )*};
    (@@ $feature:literal [$($generics:tt)*] $time:ty: $seconds:expr; $bucket:ident) => {
        #[cfg(feature = $feature)]
        #[cfg_attr(docsrs, doc(cfg(feature = $feature)))]
        impl $($generics)* TryFrom<$time> for $bucket {
            type Error = BucketError;

            fn try_from(time: $time) -> Result<Self, BucketError> {
                let seconds: fn($time) -> i64 = $seconds;
                Self::at_seconds(seconds(time)).ok_or(BucketError::YEAR)
            }
        }
    };
}

times! {
    "chrono" [<Z: chrono::TimeZone>] chrono::DateTime<Z>: |time| time.timestamp();
    // Before 1970 its seconds are rounded up, whereas a bucket starts with its first second.
    "jiff" [] jiff::Timestamp: |time| time.as_second() - i64::from(time.subsec_nanosecond() < 0);
    "time" [] time::OffsetDateTime: |time| time.unix_timestamp();
}
