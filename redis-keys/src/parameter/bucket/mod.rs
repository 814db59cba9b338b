//! Spans of the calendar as parameters: [`Year`], [`Month`], [`Day`] and [`Hour`], all in UTC.
//!
//! What grows with time is split by time: a key for each month has an end, where one key for all of it grows for ever.
//!
//! ```
//! use redis_keys::{bucket::Month, prelude::*};
//!
//! /// What a user has done in a month.
//! #[derive(RedisKey)]
//! #[redis_key(user:tasks:{user_id}:{month}:set, value = u64, ttl = 90d)]
//! struct Tasks { user_id: u64, month: Month }
//!
//! let november = Month::new(2026, 11).unwrap();
//! assert_eq!(Tasks { user_id: 42, month: november }.key()?, "user:tasks:42:202611:set");
//!
//! // The keys of the last three months, the oldest first.
//! let keys = Month::last(3).map(|month| Tasks { user_id: 42, month });
//! assert_eq!(keys.len(), 3);
//! # Ok::<(), redis_keys::Error>(())
//! ```
//!
//! With `ttl_from_end_of` the expiry counts from the end of the bucket, so that a key lives as long after its month whenever it
//! is written:
//!
//! ```
//! use redis_keys::{bucket::{Day, Hour}, prelude::*, testing};
//!
//! /// Who was there on a day.
//! #[derive(RedisKey)]
//! #[redis_key(shop:visitors:{day}:set, value = u64, ttl = 1h, ttl_from_end_of = day)]
//! struct Visitors { day: Day }
//!
//! // An hour before midnight there are two hours left.
//! let _clock = testing::fix_clock(Hour::new(2026, 11, 21, 23).unwrap().start());
//! let today = Visitors { day: Day::now() };
//! assert_eq!(testing::text(today.expire())?, ["PEXPIRE shop:visitors:20261121:set 7200000"]);
//! # Ok::<(), redis_keys::Error>(())
//! ```
//!
//! A bucket is one number, `202611`, which is what stands in the key. Numbers have always as many digits, so that keys sort
//! by time.

mod civil;
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
mod dates;
mod error;
mod iter;
mod parts;
mod place;
#[cfg(test)]
mod tests;

use std::{fmt, ops::RangeInclusive, str::FromStr, time::SystemTime};

pub use error::BucketError;
pub use iter::Buckets;

use crate::{
    KeySegment,
    parameter::{ParseSegment, SegmentWriter, ValueSet},
    schema::entropy,
};
use place::{Bucket, YEAR_10000, moment, seconds};

/// A year: `2026`.
///
/// ```
/// use redis_keys::bucket::Year;
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
/// use redis_keys::bucket::Month;
///
/// let month = Month::new(2026, 12).unwrap();
/// assert_eq!((month.year(), month.month()), (2026, 12));
/// assert_eq!(month.next(), Month::new(2027, 1));
/// assert_eq!(month.to_string().parse(), Ok(month));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month(u32);

/// A day: `20261121`.
///
/// ```
/// use std::time::{Duration, SystemTime};
///
/// use redis_keys::bucket::{Day, Month};
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
/// use redis_keys::bucket::{Day, Hour};
///
/// let last = Hour::new(2026, 12, 31, 23).unwrap();
/// assert_eq!(last.next(), Hour::new(2027, 1, 1, 0));
/// assert_eq!(Day::from(last), Day::new(2026, 12, 31).unwrap());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hour(u64);

macro_rules! common {
    ($($bucket:ident($number:ty) of $digits:literal, $prints:ident, $example:literal;)*) => {$(
        impl $bucket {
            /// The current one.
            pub fn now() -> Self {
                Self::at(entropy::now())
            }

            /// The one of that time. A time before year 0 is in the first one, and a time after 9999 in the last one.
            pub fn at(time: SystemTime) -> Self {
                let seconds = seconds(time);
                Self::at_seconds(seconds).unwrap_or(Self::from_place(if seconds < 0 { 0 } else { Self::LAST }))
            }

            /// The one behind it, if that is not the year 10000.
            pub fn next(self) -> Option<Self> {
                (self.place() < Self::LAST).then(|| Self::from_place(self.place() + 1))
            }

            /// The one before it, if that is not before year 0.
            pub fn previous(self) -> Option<Self> {
                self.place().checked_sub(1).map(Self::from_place)
            }

            /// When it begins. Where the system's clock can't go back so far, it is the beginning of 1970.
            pub fn start(self) -> SystemTime {
                moment(self.start_seconds())
            }

            /// When it is over, which is when the next one begins.
            pub fn end(self) -> SystemTime {
                moment(self.end_seconds())
            }

            /// The last so many, the oldest first, of which the last one is [`now`](Self::now).
            pub fn last(count: u32) -> Buckets<Self> {
                let end = Self::now().place() + 1;
                Buckets::new(end.saturating_sub(count)..end)
            }

            /// From one to another, both included. There are none if the first is behind the last.
            pub fn range(range: RangeInclusive<Self>) -> Buckets<Self> {
                Buckets::new(range.start().place()..range.end().place() + 1)
            }

            pub(crate) fn end_seconds(self) -> i64 {
                self.next().map_or(YEAR_10000, Bucket::start_seconds)
            }
        }

        #[diagnostic::do_not_recommend]
        impl KeySegment for $bucket {
            const LONGEST: Option<usize> = Some($digits);
            const VALUES: ValueSet = ValueSet::$prints;

            #[inline]
            fn write(&self, out: &mut SegmentWriter<'_>) {
                // The leading 1 keeps the zeros behind it.
                let number = <$number>::pow(10, $digits) + self.0;
                out.digits(itoa::Buffer::new().format(number).split_at(1).1);
            }
        }

        #[diagnostic::do_not_recommend]
        impl ParseSegment<'_> for $bucket {
            fn parse(text: &str) -> Result<Self, &'static str> {
                text.parse().map_err(|_| concat!("is not ", $example))
            }
        }

        impl fmt::Display for $bucket {
            /// As it stands in the key.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let number = <$number>::pow(10, $digits) + self.0;
                f.pad(itoa::Buffer::new().format(number).split_at(1).1)
            }
        }

        impl fmt::Debug for $bucket {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($bucket), "({})"), self)
            }
        }

        impl FromStr for $bucket {
            type Err = BucketError;

            /// Reads what stands in a key.
            fn from_str(text: &str) -> Result<Self, BucketError> {
                const NONE: BucketError = BucketError::new(concat!("not ", $example));
                if text.len() != $digits || !text.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(NONE);
                }
                text.parse().ok().and_then(Self::from_number).ok_or(NONE)
            }
        }
    )*};
}

common! {
    Year(u32) of 4, Years, "a year such as `2026`";
    Month(u32) of 6, Months, "a month such as `202611`";
    Day(u32) of 8, Days, "a day such as `20261121`";
    Hour(u64) of 10, Hours, "an hour such as `2026112112`";
}
