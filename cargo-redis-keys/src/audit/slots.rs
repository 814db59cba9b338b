//! The slots of a cluster.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The number of slots of a cluster.
pub(crate) const SLOTS: u16 = 16_384;

/// A set of slots, as ranges that are sorted and do not touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Slots(Vec<(u16, u16)>);

impl Slots {
    /// The slots for which this holds.
    fn filter(mut holds: impl FnMut(u16) -> bool) -> Self {
        let mut ranges: Vec<(u16, u16)> = Vec::new();
        for slot in (0..SLOTS).filter(|slot| holds(*slot)) {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == slot => *last = slot,
                _ => ranges.push((slot, slot)),
            }
        }
        Self(ranges)
    }

    /// Adds a range.
    pub(crate) fn insert(&mut self, first: u16, last: u16) {
        let (old, last) = (std::mem::take(self), last.min(SLOTS - 1));
        *self = Self::filter(|slot| old.contains(slot) || (first..=last).contains(&slot));
    }

    pub(crate) fn contains(&self, slot: u16) -> bool {
        self.0.iter().any(|(first, last)| (*first..=*last).contains(&slot))
    }

    /// The slots, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u16> {
        self.0.iter().flat_map(|(first, last)| *first..=*last)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|(first, last)| usize::from(last - first) + 1).sum()
    }

    /// The slots that are in this set and not in the other.
    pub(crate) fn without(&self, other: &Self) -> Self {
        Self::filter(|slot| self.contains(slot) && !other.contains(slot))
    }

    /// The slots that are in both sets.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        Self::filter(|slot| self.contains(slot) && other.contains(slot))
    }

    /// The set as a table, for many look-ups.
    pub(crate) fn table(&self) -> Vec<bool> {
        (0..SLOTS).map(|slot| self.contains(slot)).collect()
    }
}

impl fmt::Display for Slots {
    /// `0-5460, 7000`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.0.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            if first == last {
                write!(f, "{comma}{first}")?;
            } else {
                write!(f, "{comma}{first}-{last}")?;
            }
        }
        Ok(())
    }
}

/// The slot of a key: of its hash tag, if it has one.
pub(crate) fn slot_of(key: &[u8]) -> u16 {
    let tag = key.iter().position(|byte| *byte == b'{').and_then(|open| {
        let rest = key.get(open + 1..)?;
        let close = rest.iter().position(|byte| *byte == b'}')?;
        rest.get(..close).filter(|tag| !tag.is_empty())
    });
    crc16(tag.unwrap_or(key)) % SLOTS
}

/// CRC-16/XMODEM, as Redis Cluster computes it.
fn crc16(bytes: &[u8]) -> u16 {
    const TABLE: [u16; 256] = table();
    bytes.iter().fold(0, |crc, byte| {
        let index = usize::from((crc >> 8) as u8 ^ byte);
        (crc << 8) ^ TABLE.get(index).copied().unwrap_or_default()
    })
}

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "the indexes are below 256")]
const fn table() -> [u16; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let (mut crc, mut bit) = ((index as u16) << 8, 0);
        while bit < 8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
            bit += 1;
        }
        table[index] = crc;
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slot_is_that_of_the_hash_tag() {
        assert_eq!(crc16(b"123456789"), 0x31c3);
        // As `CLUSTER KEYSLOT` replies.
        for (key, slot) in [("foo", 12182), ("{foo}bar", 12182), ("x{foo}{bar}", 12182), ("{}foo", 9500), ("", 0)] {
            assert_eq!(slot_of(key.as_bytes()), slot, "{key}");
        }
    }

    #[test]
    fn ranges_that_touch_become_one() {
        let mut slots = Slots::default();
        for (first, last) in [(5, 9), (0, 3), (4, 4), (20, u16::MAX)] {
            slots.insert(first, last);
        }
        assert_eq!(slots.to_string(), "0-9, 20-16383");
        assert_eq!(slots.len(), 16_374);
        let mut other = Slots::default();
        other.insert(3, 3);
        assert_eq!(slots.without(&other).to_string(), "0-2, 4-9, 20-16383");
        assert_eq!(slots.intersection(&other).to_string(), "3");
        assert!(other.table()[3] && !other.table()[4]);
    }
}
