//! Dates of the Gregorian calendar, in UTC.

use std::env;
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Sets another day than today, in tests.
const TODAY: &str = "CARGO_REDIS_KEYS_TODAY";

/// The seconds of a day.
const DAY: u64 = 24 * 60 * 60;

/// A day, as the number of days since 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Date {
    days: i64,
}

impl Date {
    /// The current day.
    pub(crate) fn today() -> Self {
        let given = env::var(TODAY).ok().and_then(|text| text.parse().ok());
        given.unwrap_or_else(|| Self::of(SystemTime::now()))
    }

    /// The day of a time.
    pub(crate) fn of(time: SystemTime) -> Self {
        let since_1970 = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self { days: i64::try_from(since_1970.as_secs() / DAY).unwrap_or_default() }
    }

    /// The date this many days later, at most the last day of 9999, because the file has four digits for a year.
    pub(crate) fn plus_days(self, days: u64) -> Self {
        let last = days_since_1970(9999, 12, 31);
        Self { days: self.days.saturating_add(i64::try_from(days).unwrap_or(i64::MAX)).min(last) }
    }

    /// The year, the month and the day.
    fn parts(self) -> (i64, i64, i64) {
        // Years begin in March, so that the leap day is the last day.
        let day = self.days + 719_468;
        let (era, day_of_era) = (day.div_euclid(146_097), day.rem_euclid(146_097));
        let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month = (5 * day_of_year + 2) / 153;
        let (year, month_of_year) = (era * 400 + year_of_era, if month < 10 { month + 3 } else { month - 9 });
        (year + i64::from(month_of_year <= 2), month_of_year, day_of_year - (153 * month + 2) / 5 + 1)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl FromStr for Date {
    type Err = ();

    /// Reads `2026-12-22`.
    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |range: std::ops::Range<usize>| text.get(range).and_then(|part| part.parse().ok()).ok_or(());
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        let date = Self { days: days_since_1970(year, month, day) };
        // A date that does not exist, such as February 30, is rendered as another.
        if date.to_string() == text { Ok(date) } else { Err(()) }
    }
}

/// The whole days that are at least this long.
pub(crate) fn days_of(duration: Duration) -> u64 {
    let seconds = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
    seconds.div_ceil(DAY)
}

/// The days from 1970 to a date of the Gregorian calendar.
pub(crate) fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March, so that the leap day is the last day.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_read_and_written() {
        // `date -u -d 2026-12-22 +%s` / 86,400
        let date: Date = "2026-12-22".parse().unwrap();
        assert_eq!(date.days, 20_809);
        assert_eq!(date.to_string(), "2026-12-22");
        for days in -200_000..200_000 {
            let date = Date { days };
            let (year, month, day) = date.parts();
            assert_eq!(days_since_1970(year, month, day), days);
            assert!((1..=12).contains(&month) && (1..=31).contains(&day), "{date}");
        }
        for text in ["", "2026", "2026-02-30", "2026-13-01", "2026-1-1", "2026/12/22", "2026-12-22 ", "２０２６-12-22"]
        {
            assert_eq!(text.parse::<Date>(), Err(()), "{text}");
        }
    }

    #[test]
    fn days_are_added() {
        let date: Date = "2027-12-31".parse().unwrap();
        assert_eq!(date.plus_days(60).to_string(), "2028-02-29");
        assert_eq!(date.plus_days(u64::MAX).to_string(), "9999-12-31");
        assert_eq!(days_of(Duration::from_secs(DAY)), 1);
        assert_eq!(days_of(Duration::from_millis(DAY * 1000 + 1)), 2);
    }
}
