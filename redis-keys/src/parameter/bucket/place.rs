//! The place of each bucket among all of them, and in time.

use std::{
    fmt,
    time::{Duration, SystemTime},
};

use super::{
    Day, Hour, Month, Year, civil,
    civil::{DAY, EPOCH, HOUR, LAST_YEAR},
};

/// What the four have in common. They are counted from the first of year 0.
pub trait Bucket: Copy + fmt::Display {
    /// The place of the last one among all of them.
    const LAST: u32;

    /// Its place among all of them.
    fn place(self) -> u32;

    /// The one of that place, or the last one.
    fn from_place(place: u32) -> Self;

    /// The one at a number of seconds since 1970, unless that is outside year 0 to 9999.
    fn at_seconds(seconds: i64) -> Option<Self>;

    /// When it starts, in seconds since 1970.
    fn start_seconds(self) -> i64;
}

impl Bucket for Year {
    const LAST: u32 = LAST_YEAR;

    fn place(self) -> u32 {
        self.0
    }

    fn from_place(place: u32) -> Self {
        Self(place.min(Self::LAST))
    }

    fn at_seconds(seconds: i64) -> Option<Self> {
        Day::at_seconds(seconds).map(Self::from)
    }

    fn start_seconds(self) -> i64 {
        start_of(self.0, 1, 1)
    }
}

impl Bucket for Month {
    const LAST: u32 = LAST_YEAR * 12 + 11;

    fn place(self) -> u32 {
        self.0 / 100 * 12 + self.0 % 100 - 1
    }

    fn from_place(place: u32) -> Self {
        let place = place.min(Self::LAST);
        Self(place / 12 * 100 + place % 12 + 1)
    }

    fn at_seconds(seconds: i64) -> Option<Self> {
        Day::at_seconds(seconds).map(Self::from)
    }

    fn start_seconds(self) -> i64 {
        start_of(self.0 / 100, self.0 % 100, 1)
    }
}

impl Bucket for Day {
    const LAST: u32 = civil::number(LAST_YEAR, 12, 31);

    fn place(self) -> u32 {
        civil::number(self.0 / 10_000, self.0 / 100 % 100, self.0 % 100)
    }

    fn from_place(place: u32) -> Self {
        let (year, month, day) = civil::date(place.min(Self::LAST));
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
    const LAST: u32 = Day::LAST * 24 + 23;

    fn place(self) -> u32 {
        self.of().place() * 24 + u32::from(self.hour())
    }

    fn from_place(place: u32) -> Self {
        let place = place.min(Self::LAST);
        Self(u64::from(Day::from_place(place / 24).0) * 100 + u64::from(place % 24))
    }

    fn at_seconds(seconds: i64) -> Option<Self> {
        let place = seconds.div_euclid(HOUR) + i64::from(EPOCH) * 24;
        u32::try_from(place).ok().filter(|place| *place <= Self::LAST).map(Self::from_place)
    }

    fn start_seconds(self) -> i64 {
        self.of().start_seconds() + i64::from(self.hour()) * HOUR
    }
}

/// The beginning of the year that is no bucket any more.
pub(super) const YEAR_10000: i64 = (Day::LAST as i64 + 1 - EPOCH as i64) * DAY;

fn start_of(year: u32, month: u32, day: u32) -> i64 {
    (i64::from(civil::number(year, month, day)) - i64::from(EPOCH)) * DAY
}

/// The whole seconds from 1970 to a time.
pub(super) fn seconds(time: SystemTime) -> i64 {
    let whole = |time: Duration| i64::try_from(time.as_secs()).unwrap_or(i64::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(since) => whole(since),
        // A part of a second belongs to the second before.
        Err(until) => {
            let until = until.duration();
            -whole(until).saturating_add(i64::from(until.subsec_nanos() > 0))
        }
    }
}

pub(super) fn moment(seconds: i64) -> SystemTime {
    let distance = Duration::from_secs(seconds.unsigned_abs());
    let epoch = SystemTime::UNIX_EPOCH;
    let moment = if seconds < 0 { epoch.checked_sub(distance) } else { epoch.checked_add(distance) };
    moment.unwrap_or(epoch)
}
