//! The expiry of keys that counts from the end of a calendar bucket in their names.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::declare::bucket_end;

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

/// The end of a bucket.
fn end_of_bucket(text: &[u8]) -> Option<SystemTime> {
    let seconds = u64::try_from(bucket_end::seconds(text)?).ok()?;
    UNIX_EPOCH.checked_add(Duration::from_secs(seconds))
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
