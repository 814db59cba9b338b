//! Calendar buckets as parameters: [`Year`], [`Month`], [`Week`], [`Day`] and [`Hour`], in UTC.
//!
//! Use buckets to split data that grows with time. A key for each month stays bounded and expires, whereas a single key
//! grows forever.
//!
//! ```
//! use redis_keys::{parameter::bucket::Month, prelude::*};
//!
//! /// The tasks that a user completed in a month.
//! #[derive(RedisKey)]
//! #[redis_key(user:tasks:{user_id}:{month}:set, value = u64, ttl = 90d)]
//! struct Tasks { user_id: u64, month: Month }
//!
//! let november = Month::new(2026, 11).unwrap();
//! assert_eq!(Tasks { user_id: 42, month: november }.key()?, "user:tasks:42:202611:set");
//!
//! // The keys of the last three months, oldest first.
//! let keys = Month::last(3).map(|month| Tasks { user_id: 42, month });
//! assert_eq!(keys.len(), 3);
//! # Ok::<(), redis_keys::Error>(())
//! ```
//!
//! With `ttl_from_end_of` the expiry counts from the end of the bucket, whenever you write the key:
//!
//! ```
//! use redis_keys::{parameter::bucket::{Day, Hour}, prelude::*, testing};
//!
//! /// The visitors of a day.
//! #[derive(RedisKey)]
//! #[redis_key(shop:visitors:{day}:set, value = u64, ttl = 1h, ttl_from_end_of = day)]
//! struct Visitors { day: Day }
//!
//! // An hour before midnight, two hours are left.
//! let _clock = testing::fix_clock(Hour::new(2026, 11, 21, 23).unwrap().start());
//! let today = Visitors { day: Day::today() };
//! assert_eq!(testing::text(today.expire())?, ["PEXPIRE shop:visitors:20261121:set 7200000"]);
//! # Ok::<(), redis_keys::Error>(())
//! ```
//!
//! A bucket is written as a number with a fixed count of digits, such as `202611`, or as `2026w05`, so that keys sort by
//! time.

mod calendar;
mod sequence;
#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::SystemTime;
use std::{error, fmt};

use calendar::LAST_YEAR;
pub(super) use sequence::Bucket;
pub use sequence::Buckets;
use sequence::{YEAR_10000, system_time, unix_seconds};

use super::{KeySegment, Newtype, ParseSegment, SegmentWriter, ValueSet};
use crate::clock;

/// A year: `2026`.
///
/// ```
/// use redis_keys::parameter::bucket::Year;
///
/// let year = Year::new(2026).unwrap();
/// assert_eq!(year.to_string(), "2026");
/// assert_eq!(year.next(), "2027".parse().ok());
/// assert!(Year::new(10_000).is_none());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Year(u32);

/// A month: `202611`.
///
/// ```
/// use redis_keys::parameter::bucket::Month;
///
/// let month = Month::new(2026, 12).unwrap();
/// assert_eq!((month.year(), month.month()), (2026, 12));
/// assert_eq!(month.next(), Month::new(2027, 1));
/// assert_eq!(month.to_string().parse(), Ok(month));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(u32);

/// A week of ISO 8601, from Monday to Sunday: `2026w05`.
///
/// Its year is the year with most of its days, so the first week can begin in the previous December.
///
/// ```
/// use redis_keys::parameter::bucket::{Day, Week};
///
/// let week = Week::from(Day::new(2027, 1, 1).unwrap());
/// assert_eq!((week.year(), week.week()), (2026, 53));
/// assert_eq!(week.to_string(), "2026w53");
/// assert_eq!(week.next(), Week::new(2027, 1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Week(u32);

/// A day: `20261121`.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use redis_keys::parameter::bucket::{Day, Month};
///
/// let day = Day::at(SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000));
/// assert_eq!(day, Day::new(2001, 9, 9).unwrap());
/// assert_eq!(Month::from(day).to_string(), "200109");
/// assert_eq!(day.end().duration_since(day.start()).unwrap().as_secs(), 86_400);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(u32);

/// An hour: `2026112112`.
///
/// ```
/// use redis_keys::parameter::bucket::{Day, Hour};
///
/// let last = Hour::new(2026, 12, 31, 23).unwrap();
/// assert_eq!(last.next(), Hour::new(2027, 1, 1, 0));
/// assert_eq!(Day::from(last), Day::new(2026, 12, 31).unwrap());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hour(u64);

impl Year {
    /// Returns the year, from 0 to 9999.
    pub const fn new(year: u16) -> Option<Self> {
        if year as u32 <= LAST_YEAR { Some(Self(year as u32)) } else { None }
    }

    /// Returns the number of the year.
    pub const fn year(self) -> u16 {
        to_year(self.0)
    }

    fn from_number(number: u32) -> Option<Self> {
        Day::from_parts(number, 1, 1).map(Self::from)
    }
}

impl Month {
    /// Returns the month, from 1 to 12, of a year from 0 to 9999.
    pub const fn new(year: u16, month: u8) -> Option<Self> {
        if calendar::is_date(year as u32, month as u32, 1) {
            Some(Self(year as u32 * 100 + month as u32))
        } else {
            None
        }
    }

    /// Returns the year.
    pub const fn year(self) -> u16 {
        to_year(self.0 / 100)
    }

    /// Returns the month of the year, from 1 to 12.
    pub const fn month(self) -> u8 {
        last_two_digits(self.0)
    }

    fn from_number(number: u32) -> Option<Self> {
        Day::from_parts(number / 100, number % 100, 1).map(Self::from)
    }
}

impl Week {
    /// Returns the week, counted from 1, of a year from 0 to 9999.
    pub const fn new(year: u16, week: u8) -> Option<Self> {
        let number = year as u32 * 100 + week as u32;
        match calendar::monday(year as u32, week as u32) {
            Some(_) => Some(Self(number)),
            None => None,
        }
    }

    /// Returns the year with most of the week's days.
    pub const fn year(self) -> u16 {
        to_year(self.0 / 100)
    }

    /// Returns the week of the year, from 1 to 52 or 53.
    pub const fn week(self) -> u8 {
        last_two_digits(self.0)
    }

    /// Calls `use_text` with the year and the week in their digits.
    #[inline]
    fn with_text<T>(self, use_text: impl FnOnce(&str) -> T) -> T {
        let mut buffer = itoa::Buffer::new();
        let (_, digits) = buffer.format(1_000_000 + self.0).split_at(1);
        let (year, week) = digits.split_at(4);
        let mut text = *b"0000w00";
        text[..4].copy_from_slice(year.as_bytes());
        text[5..].copy_from_slice(week.as_bytes());
        use_text(str::from_utf8(&text).unwrap_or_default())
    }

    fn parse_text(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let (year, week) = ValueSet::Weeks.contains(bytes).then(|| text.split_once('w')).flatten()?;
        Self::new(year.parse().ok()?, week.parse().ok()?)
    }
}

impl Day {
    /// Returns the day of a month, both counted from 1, of a year from 0 to 9999.
    pub const fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        Self::from_parts(year as u32, month as u32, day as u32)
    }

    /// Returns the current day in UTC, as [`now`](Self::now) does.
    pub fn today() -> Self {
        Self::now()
    }

    /// Returns the year.
    pub const fn year(self) -> u16 {
        to_year(self.0 / 10_000)
    }

    /// Returns the month of the year, from 1 to 12.
    pub const fn month(self) -> u8 {
        last_two_digits(self.0 / 100)
    }

    /// Returns the day of the month, from 1 to 31.
    pub const fn day(self) -> u8 {
        last_two_digits(self.0)
    }

    pub(super) const fn from_parts(year: u32, month: u32, day: u32) -> Option<Self> {
        if calendar::is_date(year, month, day) { Some(Self(year * 10_000 + month * 100 + day)) } else { None }
    }

    fn from_number(number: u32) -> Option<Self> {
        Self::from_parts(number / 10_000, number / 100 % 100, number % 100)
    }
}

impl Hour {
    /// Returns the hour of a day, from 0 to 23, of a year from 0 to 9999. Month and day are counted from 1.
    pub const fn new(year: u16, month: u8, day: u8, hour: u8) -> Option<Self> {
        match Day::new(year, month, day) {
            Some(day) if hour < 24 => Some(Self(day.0 as u64 * 100 + hour as u64)),
            _ => None,
        }
    }

    /// Returns the year.
    pub const fn year(self) -> u16 {
        self.date().year()
    }

    /// Returns the month of the year, from 1 to 12.
    pub const fn month(self) -> u8 {
        self.date().month()
    }

    /// Returns the day of the month, from 1 to 31.
    pub const fn day(self) -> u8 {
        self.date().day()
    }

    /// Returns the hour of the day, from 0 to 23.
    pub const fn hour(self) -> u8 {
        (self.0 % 100) as u8
    }

    const fn date(self) -> Day {
        #[allow(clippy::cast_possible_truncation, reason = "eight digits are left")]
        Day((self.0 / 100) as u32)
    }

    fn from_number(number: u64) -> Option<Self> {
        let day = Day::from_number(u32::try_from(number / 100).ok()?)?;
        (number % 100 < 24).then_some(Self(u64::from(day.0) * 100 + number % 100))
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a year has four digits")]
const fn to_year(number: u32) -> u16 {
    number as u16
}

#[allow(clippy::cast_possible_truncation, reason = "two digits fit")]
const fn last_two_digits(number: u32) -> u8 {
    (number % 100) as u8
}

macro_rules! buckets {
    ($($bucket:ident of $len:literal, $values:ident, $example:literal;)*) => {$(
        impl $bucket {
            /// Returns the current bucket.
            pub fn now() -> Self {
                Self::at(clock::now())
            }

            /// Returns the bucket that contains `time`.
            ///
            /// A time before year 0 is in the first bucket, and a time after year 9999 in the last.
            pub fn at(time: SystemTime) -> Self {
                let seconds = unix_seconds(time);
                Self::at_seconds(seconds).unwrap_or(Self::from_index(if seconds < 0 { 0 } else { Self::LAST_INDEX }))
            }

            /// Returns the next bucket, or `None` after year 9999.
            pub fn next(self) -> Option<Self> {
                (self.index() < Self::LAST_INDEX).then(|| Self::from_index(self.index() + 1))
            }

            /// Returns the previous bucket, or `None` before year 0.
            pub fn previous(self) -> Option<Self> {
                self.index().checked_sub(1).map(Self::from_index)
            }

            /// Returns the start of the bucket, or the start of 1970 if the system's clock cannot represent it.
            pub fn start(self) -> SystemTime {
                system_time(self.start_seconds())
            }

            /// Returns the end of the bucket, which is the start of the next bucket.
            pub fn end(self) -> SystemTime {
                system_time(self.end_seconds())
            }

            /// Returns the last `count` buckets up to and including [`now`](Self::now), oldest first.
            pub fn last(count: u32) -> Buckets<Self> {
                let end = Self::now().index() + 1;
                Buckets::new(end.saturating_sub(count)..end)
            }

            /// Returns the buckets of a range, which is empty if it starts after its end.
            pub fn range(range: RangeInclusive<Self>) -> Buckets<Self> {
                Buckets::new(range.start().index()..range.end().index() + 1)
            }

            pub(crate) fn end_seconds(self) -> i64 {
                self.next().map_or(YEAR_10000, Bucket::start_seconds)
            }

        }

        #[diagnostic::do_not_recommend]
        impl KeySegment for $bucket {
            const LONGEST: Option<usize> = Some($len);
            const VALUES: ValueSet = ValueSet::$values;

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                self.with_text(|text| out.digits(text));
            }
        }

        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for $bucket {
            fn parse(text: &str) -> Result<Self, &'static str> {
                text.parse().map_err(|_| concat!("is not ", $example))
            }
        }

        impl fmt::Display for $bucket {
            /// Writes the same text as in a key.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.with_text(|text| f.pad(text))
            }
        }

        impl fmt::Debug for $bucket {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($bucket), "({})"), self)
            }
        }

        impl FromStr for $bucket {
            type Err = BucketError;

            /// Parses the text as it is in a key.
            fn from_str(text: &str) -> Result<Self, BucketError> {
                const INVALID: BucketError = BucketError { message: concat!("not ", $example) };
                Self::parse_text(text).ok_or(INVALID)
            }
        }

        bucket_end!($bucket as $bucket: |bucket| Some(bucket.end_seconds()));
    )*};
}

/// Implements `BucketEnd` for a type and for references to it: an implementation for all references would conflict with
/// the implementation for newtypes.
macro_rules! bucket_end {
    ($type:ty as $bucket:ident: $end:expr) => {
        bucket_end!(@ $type; $type as $bucket: $end);
        bucket_end!(@ &$type; $type as $bucket: $end);
    };
    (@ $implementor:ty; $type:ty as $bucket:ident: $end:expr) => {
        #[diagnostic::do_not_recommend]
        impl $crate::parameter::BucketEnd<$bucket> for $implementor {
            fn bucket_end(&self) -> Option<i64> {
                let end: fn(&$type) -> Option<i64> = $end;
                end(self)
            }
        }
    };
}
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
pub(super) use bucket_end;

buckets! {
    Year of 4, Years, "a year such as `2026`";
    Month of 6, Months, "a month such as `202611`";
    Week of 7, Weeks, "a week such as `2026w05`";
    Day of 8, Days, "a day such as `20261121`";
    Hour of 10, Hours, "an hour such as `2026112112`";
}

/// The text of buckets that are a number.
macro_rules! digits {
    ($($bucket:ident($number:ty) of $len:literal;)*) => {$(
        impl $bucket {
            /// Calls `use_text` with the number, padded with zeros.
            #[inline]
            fn with_text<T>(self, use_text: impl FnOnce(&str) -> T) -> T {
                // The leading 1 keeps the zeros after it.
                let number = <$number>::pow(10, $len) + self.0;
                use_text(itoa::Buffer::new().format(number).split_at(1).1)
            }

            fn parse_text(text: &str) -> Option<Self> {
                let is_number = text.len() == $len && text.bytes().all(|byte| byte.is_ascii_digit());
                text.parse().ok().filter(|_| is_number).and_then(Self::from_number)
            }
        }
    )*};
}

digits! {
    Year(u32) of 4;
    Month(u32) of 6;
    Day(u32) of 8;
    Hour(u64) of 10;
}

macro_rules! conversions {
    ($($narrow:ident / $by:literal is $wide:ident($number:ty);)*) => {$(
        impl From<$narrow> for $wide {
            /// Returns the bucket that contains the narrower bucket.
            fn from(narrow: $narrow) -> Self {
                #[allow(clippy::cast_possible_truncation, reason = "fewer digits are left")]
                Self((narrow.0 / $by) as $number)
            }
        }
    )*};
}

conversions! {
    Month / 100 is Year(u32);
    Day / 10_000 is Year(u32);
    Day / 100 is Month(u32);
    Hour / 1_000_000 is Year(u32);
    Hour / 10_000 is Month(u32);
    Hour / 100 is Day(u32);
}

impl From<Day> for Week {
    /// Returns the week that contains the day. The first two days of year 0 are in its first week.
    fn from(day: Day) -> Self {
        Self::from_index(day.index().saturating_sub(calendar::FIRST_MONDAY) / 7)
    }
}

impl From<Hour> for Week {
    /// Returns the week that contains the hour.
    fn from(hour: Hour) -> Self {
        Day::from(hour).into()
    }
}

/// A value in a calendar bucket, from whose end an expiry can count: `ttl_from_end_of = month`.
#[diagnostic::on_unimplemented(
    message = "`ttl_from_end_of` needs a `{Bucket}`, but this field is a `{Self}`",
    label = "expected `{Bucket}`",
    note = "the field is a `Year`, `Month`, `Week`, `Day` or `Hour` of `redis_keys::parameter::bucket`; `day` can also be a date of `chrono`, `jiff` or `time`"
)]
pub trait BucketEnd<Bucket> {
    /// Returns the end in seconds since 1970, or `None` if the value is outside years 0 to 9999, which no key can
    /// contain.
    fn bucket_end(&self) -> Option<i64>;
}

#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<Bucket, T: Newtype<Inner: BucketEnd<Bucket>> + ?Sized> BucketEnd<Bucket> for T {
    fn bucket_end(&self) -> Option<i64> {
        self.inner().bucket_end()
    }
}

/// The error of parsing a bucket, or of converting a date whose year is outside 0 to 9999.
///
/// It does not contain the text.
///
/// ```
/// use redis_keys::parameter::bucket::Month;
///
/// let error = "202613".parse::<Month>().unwrap_err();
/// assert_eq!(error.to_string(), "not a month such as `202611`");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketError {
    message: &'static str,
}

impl BucketError {
    #[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
    pub(super) const YEAR: Self = Self { message: "the year is outside 0 to 9999" };
}

impl fmt::Display for BucketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message)
    }
}

impl error::Error for BucketError {}
