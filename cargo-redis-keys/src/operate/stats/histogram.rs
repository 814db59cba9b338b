//! A histogram with two significant digits.
//!
//! Each power of two is divided into 64 buckets, so a value is known to 0.8 %. Only buckets with values take memory: a
//! few kilobytes for the expiries of one declaration.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Each power of two has two to the power of this many buckets.
const BITS: u32 = 6;

/// The buckets of a power of two.
const STEP: u16 = 1 << BITS;

/// The number behind the largest bucket: numbers below [`STEP`], and 58 larger powers of two.
const BUCKETS: u16 = 59 * STEP;

/// A histogram with two significant digits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Histogram {
    /// The buckets with values, in their order, and the number of values of each.
    counts: Vec<(u16, u32)>,
    /// The largest value.
    max: u64,
}

impl Histogram {
    /// Counts a value.
    pub(crate) fn add(&mut self, value: u64) {
        self.add_to(bucket(value), 1);
        self.max = self.max.max(value);
    }

    fn add_to(&mut self, bucket: u16, count: u32) {
        match self.counts.binary_search_by_key(&bucket, |(bucket, _)| *bucket) {
            Ok(place) => {
                if let Some((_, counter)) = self.counts.get_mut(place) {
                    *counter = counter.saturating_add(count);
                }
            }
            Err(place) => {
                if self.counts.is_empty() {
                    self.counts.reserve_exact(1);
                }
                self.counts.insert(place, (bucket, count));
            }
        }
    }

    /// Adds another histogram.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (bucket, count) in &other.counts {
            self.add_to(*bucket, *count);
        }
        self.max = self.max.max(other.max);
    }

    /// The number of buckets with values, which take the memory.
    pub(crate) fn buckets(&self) -> usize {
        self.counts.len()
    }

    /// The value below which this share of the values lies, in percent. `None` without values.
    pub(crate) fn percentile(&self, percent: u64) -> Option<u64> {
        let total: u64 = self.counts.iter().map(|(_, count)| u64::from(*count)).sum();
        let rank = (total * percent).div_ceil(100).max(1);
        let mut below = 0;
        self.counts.iter().find_map(|(bucket, count)| {
            below += u64::from(*count);
            // The middle of the last bucket can be larger than every value.
            (below >= rank).then(|| middle(*bucket).min(self.max))
        })
    }

    /// The largest value, exactly. `None` without values.
    pub(crate) fn max(&self) -> Option<u64> {
        (!self.counts.is_empty()).then_some(self.max)
    }
}

fn bucket(value: u64) -> u16 {
    let Some(shift) = value.checked_ilog2().and_then(|log| log.checked_sub(BITS)) else {
        return u16::try_from(value).unwrap_or(0);
    };
    let within = u16::try_from((value >> shift) % u64::from(STEP)).unwrap_or(0);
    (u16::try_from(shift).unwrap_or(0) + 1) * STEP + within
}

/// The value in the middle of a bucket.
fn middle(bucket: u16) -> u64 {
    let (power, within) = (bucket / STEP, u64::from(bucket % STEP));
    match power.checked_sub(1) {
        None => within,
        Some(shift) => ((u64::from(STEP) + within) << shift) + ((1 << shift) >> 1),
    }
}

/// The largest value, and numbers: the first bucket, then the counts. Negated numbers are that many zeros.
impl Serialize for Histogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let first = self.counts.first().map_or(0, |(bucket, _)| *bucket);
        let mut numbers = vec![i64::from(first)];
        let mut next = first;
        for (bucket, count) in &self.counts {
            if *bucket > next {
                numbers.push(-i64::from(bucket - next));
            }
            numbers.push(i64::from(*count));
            next = bucket + 1;
        }
        (self.max, numbers).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Histogram {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (max, numbers) = <(u64, Vec<i64>)>::deserialize(deserializer)?;
        let wrong = || D::Error::custom("not a histogram");
        let mut histogram = Self { max, ..Self::default() };
        let Some((first, counts)) = numbers.split_first() else { return Ok(histogram) };
        let mut bucket = u16::try_from(*first).map_err(|_| wrong())?;
        for number in counts {
            if let Ok(count) = u32::try_from(*number) {
                if bucket >= BUCKETS {
                    return Err(wrong());
                }
                histogram.add_to(bucket, count);
                bucket += 1;
            } else {
                let zeros = number.checked_neg().and_then(|zeros| u16::try_from(zeros).ok()).ok_or_else(wrong)?;
                bucket = bucket.checked_add(zeros).ok_or_else(wrong)?;
            }
        }
        Ok(histogram)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on")]
mod tests {
    use super::*;

    fn of(values: impl IntoIterator<Item = u64>) -> Histogram {
        let mut histogram = Histogram::default();
        values.into_iter().for_each(|value| histogram.add(value));
        histogram
    }

    #[test]
    fn values_are_known_to_two_digits() {
        let values =
            (0..200).chain((0..64).map(|shift| 1 << shift)).chain([u64::MAX, 999_999, 86_400_000, 12_345_678_901]);
        for value in values {
            let known = middle(bucket(value));
            assert!(known.abs_diff(value) <= value / 100, "{value} {known}");
        }
        assert!(bucket(u64::MAX) < BUCKETS);
    }

    #[test]
    fn percentiles() {
        let histogram = of(1..=10_000);
        for (percent, value) in [(0, 1), (1, 100), (50, 5_000), (99, 9_900), (100, 10_000)] {
            let known = histogram.percentile(percent).unwrap();
            assert!(known.abs_diff(value) <= value / 100, "{percent} {known}");
        }
        assert_eq!(Histogram::default().percentile(50), None);
    }

    #[test]
    fn no_percentile_is_larger_than_the_largest_value() {
        for largest in [168, 169, 2_592_000_000, u64::MAX] {
            let mut histogram = of([largest; 5]);
            histogram.merge(&of([1, largest - 1]));
            for percent in [50, 90, 99, 100] {
                assert!(histogram.percentile(percent).unwrap() <= largest, "{percent} {largest}");
            }
            assert_eq!(histogram.max(), Some(largest));
        }
        assert_eq!(Histogram::default().max(), None);
    }

    #[test]
    fn merged_and_saved_it_is_the_same() {
        let values = [7_000_000, 3, 3, 90, 1 << 40, 0, 5_000];
        let whole = of(values);
        let mut merged = of(values[..3].iter().copied());
        merged.merge(&of(values[3..].iter().copied()));
        assert_eq!(merged, whole);
        let text = serde_json::to_string(&whole).unwrap();
        assert!(text.len() < 90, "{text}");
        assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), whole);
        assert_eq!(serde_json::from_str::<Histogram>("[0,[0]]").unwrap(), Histogram::default());
        for wrong in ["[-1]", "[99999,1]", "[0,-9223372036854775808,1]", "[0,1e9]", "[0,9999999999]"] {
            assert!(serde_json::from_str::<Histogram>(&format!("[0,{wrong}]")).is_err(), "{wrong}");
        }
    }
}
