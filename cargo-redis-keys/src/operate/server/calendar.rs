//! The expiry of keys that counts from the end of a calendar bucket in their names.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use redis_keys_core::ValueSet;

use crate::date::days_since_1970 as days;

/// The place in a key of the bucket from whose end its expiry counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BucketPlace {
    segment: usize,
    /// The word of the segment, or `None` if the bucket is a whole segment.
    word: Option<usize>,
}

impl BucketPlace {
    /// Finds the placeholder of a parameter in a template.
    pub(crate) fn find(template: &str, parameter: &str) -> Option<Self> {
        let is_placeholder = |text: &str| {
            let name = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
            name.is_some_and(|name| name.strip_prefix('#').unwrap_or(name) == parameter)
        };
        template.split(':').enumerate().find_map(|(segment, text)| {
            if is_placeholder(text) {
                return Some(Self { segment, word: None });
            }
            text.split('.').position(is_placeholder).map(|word| Self { segment, word: Some(word) })
        })
    }

    /// The end of the bucket in a key without namespace, in milliseconds since 1970.
    pub(crate) fn end_ms(self, key: &[u8]) -> Option<u64> {
        u64::try_from(self.end(key)?.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
    }

    /// The end of the bucket in a key without namespace.
    pub(crate) fn end(self, key: &[u8]) -> Option<SystemTime> {
        let segment = key.split(|byte| *byte == b':').nth(self.segment)?;
        let text = match self.word {
            None => segment,
            Some(word) => segment.split(|byte| *byte == b'.').nth(word)?,
        };
        end_of_bucket(text.strip_prefix(b"{").and_then(|text| text.strip_suffix(b"}")).unwrap_or(text))
    }
}

/// The end of a bucket in UTC: of a year in 4 digits, a month in 6, a day in 8, an hour in 10, or a week such as
/// `2026w05`.
fn end_of_bucket(text: &[u8]) -> Option<SystemTime> {
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
    let seconds = u64::try_from(hours).ok()? * 3600;
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
}

/// The first week of a year has its fourth day.
fn end_of_week(text: &[u8]) -> Option<SystemTime> {
    let (year, week) = str::from_utf8(text).ok()?.split_once('w')?;
    let fourth = days(year.parse().ok()?, 1, 4);
    // The first day of 1970 was a Thursday.
    let first_monday = fourth - (fourth + 3).rem_euclid(7);
    let end = first_monday + 7 * week.parse::<i64>().ok()?;
    UNIX_EPOCH.checked_add(Duration::from_secs(u64::try_from(end).ok()? * 86_400))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_buckets() {
        // `date -u -d 2027-01-01 +%s`
        for (text, end) in [
            ("2026", 1_798_761_600),
            ("202612", 1_798_761_600),
            ("202611", 1_796_083_200),
            ("20261231", 1_798_761_600),
            ("20240228", 1_709_164_800),
            ("2026123123", 1_798_761_600),
            ("2026123100", 1_798_678_800),
            ("1970", 31_536_000),
            // `date -u -d 2026-02-02 +%s`
            ("2026w05", 1_769_990_400),
            ("2026w53", 1_799_020_800),
            ("2025w01", 1_736_121_600),
        ] {
            let end = UNIX_EPOCH + Duration::from_secs(end);
            assert_eq!(end_of_bucket(text.as_bytes()), Some(end), "{text}");
        }
        for text in [
            "20270230",
            "20271301",
            "20270100",
            "2027043123",
            "",
            "20",
            "2026a1",
            "2026-1",
            "20261",
            "1234567890123",
            "0001",
            "2025w53",
        ] {
            assert_eq!(end_of_bucket(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn the_place_of_a_bucket() {
        let end = end_of_bucket(b"202611");
        for (template, key) in [
            ("user:tasks:{id}:{month}:set", "user:tasks:1:202611:set"),
            ("user:tasks:{#month}:set", "user:tasks:{202611}:set"),
            ("user:tasks:m.{month}:{id}:set", "user:tasks:m.202611:7:set"),
        ] {
            let place = BucketPlace::find(template, "month").unwrap();
            assert_eq!(place.end(key.as_bytes()), end, "{template}");
            assert_eq!(place.end(b"user"), None);
        }
        assert_eq!(BucketPlace::find("user:tasks:{id}:set", "month"), None);
    }
}
