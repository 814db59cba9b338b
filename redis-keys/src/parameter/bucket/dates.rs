//! Buckets of the dates and times of other crates. A time is looked at in UTC.

use super::{BucketError, Day, Hour, Month, Year, place::Bucket as _};

macro_rules! of_dates {
    ($($feature:literal $date:ty: $parts:expr;)*) => {$(
        of_dates!(@ $feature $date: $parts; Year Month Day);
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
                Day::of(year, month, day).map($bucket::from).ok_or(BucketError::YEAR)
            }
        }
    )*};
}

macro_rules! of_times {
    ($($feature:literal [$($generics:tt)*] $time:ty: $seconds:expr;)*) => {$(
        of_times!(@ $feature [$($generics)*] $time: $seconds; Year Month Day Hour);
    )*};
    (@ $feature:literal $generics:tt $time:ty: $seconds:expr; $($bucket:ident)*) => {$(
        of_times!(@@ $feature $generics $time: $seconds; $bucket);
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

of_dates! {
    "chrono" chrono::NaiveDate: |date| {
        use chrono::Datelike as _;
        (date.year(), date.month(), date.day())
    };
    "jiff" jiff::civil::Date: |date| {
        (date.year().into(), date.month().unsigned_abs().into(), date.day().unsigned_abs().into())
    };
    "time" time::Date: |date| (date.year(), u8::from(date.month()).into(), date.day().into());
}

of_times! {
    "chrono" [<Z: chrono::TimeZone>] chrono::DateTime<Z>: |time| time.timestamp();
    // Before 1970 its seconds are rounded up, and a bucket ends between two of them.
    "jiff" [] jiff::Timestamp: |time| time.as_second() - i64::from(time.subsec_nanosecond() < 0);
    "time" [] time::OffsetDateTime: |time| time.unix_timestamp();
}
