//! The order of buckets, in time and among each other.

use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;
use std::time::{Duration, SystemTime};

use super::calendar::{EPOCH, LAST_YEAR, SECONDS_PER_DAY, SECONDS_PER_HOUR};
use super::{Day, Hour, Month, Week, Year, calendar};

/// A type of buckets, which are numbered from the first bucket of year 0.
pub trait Bucket: Copy + fmt::Display {
    /// The index of the last bucket.
    const LAST_INDEX: u32;

    /// Returns the index of the bucket.
    fn index(self) -> u32;

    /// Returns the bucket with that index, or the last bucket if there is none.
    fn from_index(index: u32) -> Self;

    /// Returns the bucket at a number of seconds since 1970, unless that is outside years 0 to 9999.
    fn at_seconds(seconds: i64) -> Option<Self>;

    /// Returns the start in seconds since 1970.
    fn start_seconds(self) -> i64;
}

impl Bucket for Year {
    const LAST_INDEX: u32 = LAST_YEAR;

    fn index(self) -> u32 {
        self.0
    }

    fn from_index(index: u32) -> Self {
        Self(index.min(Self::LAST_INDEX))
    }

    fn at_seconds(seconds: i64) -> Option<Self> {
        Day::at_seconds(seconds).map(Self::from)
    }

    fn start_seconds(self) -> i64 {
        start_of(self.0, 1, 1)
    }
}

impl Bucket for Month {
    const LAST_INDEX: u32 = LAST_YEAR * 12 + 11;

    fn index(self) -> u32 {
        self.0 / 100 * 12 + self.0 % 100 - 1
    }

    fn from_index(index: u32) -> Self {
        let index = index.min(Self::LAST_INDEX);
        Self(index / 12 * 100 + index % 12 + 1)
    }

    fn at_seconds(seconds: i64) -> Option<Self> {
        Day::at_seconds(seconds).map(Self::from)
    }

    fn start_seconds(self) -> i64 {
        start_of(self.0 / 100, self.0 % 100, 1)
    }
}

impl Bucket for Week {
    const LAST_INDEX: u32 = (Day::LAST_INDEX - calendar::FIRST_MONDAY) / 7;

    fn index(self) -> u32 {
        let monday = calendar::monday(self.0 / 100, self.0 % 100).unwrap_or(calendar::FIRST_MONDAY);
        (monday - calendar::FIRST_MONDAY) / 7
    }

    fn from_index(index: u32) -> Self {
        let (year, week) = calendar::week_of(calendar::FIRST_MONDAY + 7 * index.min(Self::LAST_INDEX));
        Self(year * 100 + week)
    }

    fn at_seconds(seconds: i64) -> Option<Self> {
        Day::at_seconds(seconds).map(Self::from)
    }

    fn start_seconds(self) -> i64 {
        (i64::from(calendar::FIRST_MONDAY + 7 * self.index()) - i64::from(EPOCH)) * SECONDS_PER_DAY
    }
}

impl Bucket for Day {
    const LAST_INDEX: u32 = calendar::day_number(LAST_YEAR, 12, 31);

    fn index(self) -> u32 {
        calendar::day_number(self.0 / 10_000, self.0 / 100 % 100, self.0 % 100)
    }

    fn from_index(index: u32) -> Self {
        let (year, month, day) = calendar::date(index.min(Self::LAST_INDEX));
        Self(year * 10_000 + month * 100 + day)
    }

    fn at_seconds(seconds: i64) -> Option<Self> {
        Hour::at_seconds(seconds).map(Self::from)
    }

    fn start_seconds(self) -> i64 {
        start_of(self.0 / 10_000, self.0 / 100 % 100, self.0 % 100)
    }
}

impl Bucket for Hour {
    const LAST_INDEX: u32 = Day::LAST_INDEX * 24 + 23;

    fn index(self) -> u32 {
        self.date().index() * 24 + u32::from(self.hour())
    }

    fn from_index(index: u32) -> Self {
        let index = index.min(Self::LAST_INDEX);
        Self(u64::from(Day::from_index(index / 24).0) * 100 + u64::from(index % 24))
    }

    fn at_seconds(seconds: i64) -> Option<Self> {
        let index = seconds.div_euclid(SECONDS_PER_HOUR) + i64::from(EPOCH) * 24;
        u32::try_from(index).ok().filter(|index| *index <= Self::LAST_INDEX).map(Self::from_index)
    }

    fn start_seconds(self) -> i64 {
        self.date().start_seconds() + i64::from(self.hour()) * SECONDS_PER_HOUR
    }
}

/// The start of the year after the last bucket.
pub(super) const YEAR_10000: i64 = (Day::LAST_INDEX as i64 + 1 - EPOCH as i64) * SECONDS_PER_DAY;

fn start_of(year: u32, month: u32, day: u32) -> i64 {
    (i64::from(calendar::day_number(year, month, day)) - i64::from(EPOCH)) * SECONDS_PER_DAY
}

/// Returns the whole seconds from 1970 to a time.
pub(super) fn unix_seconds(time: SystemTime) -> i64 {
    let whole = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => whole(since),
        // Before 1970, a part of a second belongs to the earlier second.
        Err(until) => {
            let until = until.duration();
            -whole(until).saturating_add(i64::from(until.subsec_nanos() > 0))
        }
    }
}

pub(super) fn system_time(unix_seconds: i64) -> SystemTime {
    let distance = Duration::from_secs(unix_seconds.unsigned_abs());
    let epoch = SystemTime::UNIX_EPOCH;
    let time = if unix_seconds < 0 { epoch.checked_sub(distance) } else { epoch.checked_add(distance) };
    time.unwrap_or(epoch)
}

/// An iterator over consecutive buckets, oldest first.
///
/// The methods `range` and `last` of a bucket return it.
///
/// ```
/// use redis_keys::parameter::bucket::Month;
///
/// let (first, last) = ("202611".parse::<Month>()?, "202702".parse::<Month>()?);
/// let months = Month::range(first..=last);
/// assert_eq!(months.len(), 4);
/// assert_eq!(months.map(|month| month.to_string()).collect::<Vec<_>>(), ["202611", "202612", "202701", "202702"]);
/// # Ok::<(), redis_keys::parameter::bucket::BucketError>(())
/// ```
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Buckets<B> {
    indices: Range<u32>,
    bucket: PhantomData<fn() -> B>,
}

impl<B: Bucket> Buckets<B> {
    pub(super) fn new(indices: Range<u32>) -> Self {
        Self { indices, bucket: PhantomData }
    }
}

impl<B: Bucket> Iterator for Buckets<B> {
    type Item = B;

    fn next(&mut self) -> Option<B> {
        self.indices.next().map(B::from_index)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indices.size_hint()
    }

    fn nth(&mut self, index: usize) -> Option<B> {
        self.indices.nth(index).map(B::from_index)
    }
}

impl<B: Bucket> DoubleEndedIterator for Buckets<B> {
    fn next_back(&mut self) -> Option<B> {
        self.indices.next_back().map(B::from_index)
    }

    fn nth_back(&mut self, index: usize) -> Option<B> {
        self.indices.nth_back(index).map(B::from_index)
    }
}

// `size_hint` of a `Range<u32>` is exact: there are fewer than 2^27 hours.
impl<B: Bucket> ExactSizeIterator for Buckets<B> {}

impl<B: Bucket> FusedIterator for Buckets<B> {}

impl<B> Clone for Buckets<B> {
    fn clone(&self) -> Self {
        Self { indices: self.indices.clone(), bucket: PhantomData }
    }
}

impl<B: Bucket> fmt::Debug for Buckets<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends = self.clone();
        match (ends.next(), ends.next_back()) {
            (Some(first), Some(last)) => write!(f, "{first}..={last}"),
            (Some(only), None) => write!(f, "{only}..={only}"),
            _ => f.write_str("no buckets"),
        }
    }
}
