//! The Gregorian calendar in UTC, from year 0 to 9999.

/// The last year of four digits.
pub(super) const LAST_YEAR: u32 = 9999;

/// The number of 1970-01-01.
pub(super) const EPOCH: u32 = day_number(1970, 1, 1);

// Unix time does not count leap seconds.
pub(super) const SECONDS_PER_HOUR: i64 = 3_600;
pub(super) const SECONDS_PER_DAY: i64 = 24 * SECONDS_PER_HOUR;

/// The days from March 1 of year -400 to the first day of year 0. Counted from there, no number is negative.
const DAYS_BEFORE_YEAR_0: u32 = 146_037;

/// The days of 400 years, after which the calendar repeats.
const DAYS_PER_CYCLE: u32 = 146_097;

/// Returns the number of a day, counted from 0000-01-01.
pub(super) const fn day_number(year: u32, month: u32, day: u32) -> u32 {
    // If years start in March, a leap day is the last day of its year.
    let year = year + 400 - (month < 3) as u32;
    let leap_days = year / 4 - year / 100 + year / 400;
    365 * year + leap_days + days_before((month + 9) % 12) + day - 1 - DAYS_BEFORE_YEAR_0
}

/// Returns the year, month and day of a number.
pub(super) const fn date(number: u32) -> (u32, u32, u32) {
    let number = number + DAYS_BEFORE_YEAR_0;
    let (cycle, day) = (number / DAYS_PER_CYCLE, number % DAYS_PER_CYCLE);
    // Without the leap days of the cycle, every year has 365 days.
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - days_before(month) + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + cycle * 400 + (month < 3) as u32 - 400, month, day)
}

/// Returns the number of days before a month, counted from March as 0. Five months have 153 days.
const fn days_before(month: u32) -> u32 {
    (153 * month + 2) / 5
}

/// The number of the first Monday, 0000-01-03.
pub(super) const FIRST_MONDAY: u32 = 2;

/// Returns the number of the Monday of a week of ISO 8601, if the year has that week.
pub(super) const fn monday(year: u32, week: u32) -> Option<u32> {
    if year > LAST_YEAR || week == 0 || week > 53 {
        return None;
    }
    // The first week has the fourth day of January.
    let fourth = day_number(year, 1, 4);
    let monday = fourth - (fourth - FIRST_MONDAY) % 7 + 7 * (week - 1);
    if week_of(monday).0 == year { Some(monday) } else { None }
}

/// Returns the year and the number of the week that begins on this Monday. Most of its days are in the year of its
/// Thursday.
pub(super) const fn week_of(monday: u32) -> (u32, u32) {
    let thursday = monday + 3;
    let (year, _, _) = date(thursday);
    (year, (thursday - day_number(year, 1, 1)) / 7 + 1)
}

/// Returns whether the date exists.
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

    #[test]
    fn every_week_has_its_monday() {
        let last = day_number(LAST_YEAR, 12, 31);
        let (mut before, mut long) = ((0, 0), 0);
        for monday_of in (FIRST_MONDAY..=last).step_by(7) {
            let (year, week) = week_of(monday_of);
            assert_eq!(monday(year, week), Some(monday_of), "{year}w{week}");
            assert!(week == before.1 + 1 || (week, year) == (1, before.0 + 1), "{before:?} {year}w{week}");
            long += u32::from(week == 53);
            before = (year, week);
        }
        // 71 of 400 years have 53 weeks.
        assert_eq!((before, long), ((9999, 52), 71 * 25));
        assert_eq!((monday(2025, 53), monday(2026, 0), monday(10_000, 1)), (None, None, None));
        // 2026 ends on a Thursday.
        assert_eq!((monday(2026, 53), monday(2027, 1)), (Some(day_number(2026, 12, 28)), Some(day_number(2027, 1, 4))));
    }

    #[test]
    fn every_day_has_its_number() {
        let mut expected = 0;
        for year in 0..=LAST_YEAR {
            for month in 1..=12 {
                for day in 1..=days_in(year, month) {
                    assert_eq!(day_number(year, month, day), expected, "{year}-{month}-{day}");
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
