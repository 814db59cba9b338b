//! The ends of calendar buckets, by their texts in keys.

use redis_keys_core::ValueSet;

use crate::date::days_since_1970 as days;

/// The end of a bucket in UTC, in seconds since 1970: of a year in 4 digits, a month in 6, a day in 8, an hour in 10, or
/// a week such as `2026w05`.
pub(crate) fn seconds(text: &[u8]) -> Option<i64> {
    if ValueSet::Weeks.contains(text) {
        return end_of_week(text);
    }
    let digits = str::from_utf8(text).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))?;
    let part = |range: std::ops::Range<usize>| digits.get(range).and_then(|part| part.parse::<i64>().ok());
    let (year, month, day) = (part(0..4)?, part(4..6).unwrap_or(1), part(6..8).unwrap_or(1));
    let is_day = day <= 28 || days(year, month, day) < days(year + month / 12, month % 12 + 1, 1);
    if !(1..=12).contains(&month) || day < 1 || !is_day {
        return None;
    }
    let hours = match digits.len() {
        4 => 24 * days(year + 1, 1, 1),
        6 => 24 * days(year + month / 12, month % 12 + 1, 1),
        8 => 24 * (days(year, month, day) + 1),
        10 => 24 * days(year, month, day) + part(8..10)? + 1,
        _ => return None,
    };
    Some(hours * 3600)
}

/// The end of a week. The first week of a year has its fourth day, and the last week ends with year 9999.
fn end_of_week(text: &[u8]) -> Option<i64> {
    let (year, week) = str::from_utf8(text).ok()?.split_once('w')?;
    let fourth = days(year.parse().ok()?, 1, 4);
    // The first day of 1970 was a Thursday.
    let first_monday = fourth - (fourth + 3).rem_euclid(7);
    let end = first_monday + 7 * week.parse::<i64>().ok()?;
    Some(end.min(days(10_000, 1, 1)) * 86_400)
}
