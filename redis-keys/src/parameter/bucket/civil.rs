//! The calendar: days, months and years of the Gregorian calendar in UTC, from year 0 to 9999.

/// The last year of four digits.
pub(super) const LAST_YEAR: u32 = 9999;

/// The number of 1970-01-01.
pub(super) const EPOCH: u32 = number(1970, 1, 1);

/// Seconds in an hour and in a day. UTC's leap seconds are no part of the time that systems count.
pub(super) const HOUR: i64 = 3_600;
pub(super) const DAY: i64 = 24 * HOUR;

/// The days from the March of 400 years before year 0 to its first day. Counting from there, no number is negative.
const BEFORE: u32 = 146_037;

/// The days of 400 years, after which the calendar repeats itself.
const CYCLE: u32 = 146_097;

/// The number of a day, counted from 0000-01-01.
pub(super) const fn number(year: u32, month: u32, day: u32) -> u32 {
    // A year that starts in March ends with its leap day.
    let year = year + 400 - (month < 3) as u32;
    let leap_days = year / 4 - year / 100 + year / 400;
    365 * year + leap_days + days_before((month + 9) % 12) + day - 1 - BEFORE
}

/// Year, month and day of that number.
pub(super) const fn date(number: u32) -> (u32, u32, u32) {
    let (cycle, day) = ((number + BEFORE) / CYCLE, (number + BEFORE) % CYCLE);
    // Of the days before it in its cycle those that leap years have added are taken off.
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - days_before(month) + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + cycle * 400 + (month < 3) as u32 - 400, month, day)
}

/// How many days of a year that starts in March are before a month, counted from 0. Five months have 153 days.
const fn days_before(month: u32) -> u32 {
    (153 * month + 2) / 5
}

/// Whether there is such a day.
pub(super) const fn is_date(year: u32, month: u32, day: u32) -> bool {
    year <= LAST_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= days_in(year, month)
}

const fn days_in(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every day there is, one after the other.
    #[test]
    fn days_follow_each_other() {
        let mut expected = 0;
        for year in 0..=LAST_YEAR {
            for month in 1..=12 {
                for day in 1..=days_in(year, month) {
                    assert_eq!(number(year, month, day), expected, "{year}-{month}-{day}");
                    assert_eq!(date(expected), (year, month, day));
                    assert!(is_date(year, month, day));
                    expected += 1;
                }
                assert!(!is_date(year, month, 0) && !is_date(year, month, days_in(year, month) + 1));
            }
        }
        assert_eq!((expected, EPOCH), (3_652_425, 719_528));
        assert!(!is_date(2026, 0, 1) && !is_date(2026, 13, 1) && !is_date(10_000, 1, 1));
    }
}
