//! A key, cut into its segments.

use std::cmp::Ordering;

use redis_keys_schema::limits::MAX_KEY_BYTES;

/// The most segments of a key: each has a byte, and all but one a `:` in front of it.
pub(super) const MAX_SEGMENTS: usize = MAX_KEY_BYTES / 2;

/// A key, cut into its segments.
pub(super) struct CutKey<'k> {
    key: &'k [u8],
    /// The end of each segment.
    ends: [u8; MAX_SEGMENTS],
    /// The number of segments.
    pub(super) count: usize,
}

/// A segment of a key, or of a template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece<'k> {
    /// A number made of its first and last eight bytes and its length, which is quick to compare and seldom equal.
    pub(super) mark: u64,
    pub(super) text: &'k [u8],
}

impl<'k> CutKey<'k> {
    /// Cuts a key, unless it is too long or has too many segments.
    #[inline]
    pub(super) fn new(key: &'k [u8]) -> Option<Self> {
        let mut cut = Self { key, ends: [0; MAX_SEGMENTS], count: 0 };
        if key.len() > MAX_KEY_BYTES {
            return None;
        }
        let (chunks, rest) = key.as_chunks();
        let rest = (chunks.len(), number(rest));
        for (index, bytes) in chunks.iter().map(|chunk| u64::from_le_bytes(*chunk)).enumerate().chain([rest]) {
            let mut colons = colons(bytes);
            while colons != 0 {
                cut.end_segment(index * 8 + colons.trailing_zeros() as usize / 8)?;
                colons &= colons - 1;
            }
        }
        cut.end_segment(key.len())?;
        Some(cut)
    }

    #[inline]
    fn end_segment(&mut self, at: usize) -> Option<()> {
        *self.ends.get_mut(self.count)? = u8::try_from(at).ok()?;
        self.count += 1;
        Some(())
    }

    /// The segment with this index.
    #[inline]
    pub(super) fn segment(&self, index: usize) -> Option<Piece<'k>> {
        let end = usize::from(*self.ends.get(index)?);
        let start = match index.checked_sub(1) {
            Some(previous) => usize::from(*self.ends.get(previous)?) + 1,
            None => 0,
        };
        let text = self.key.get(start..end)?;
        // A text of eight bytes and more is read in place. Bytes around a shorter one are read as well, and cut off.
        let Some(chunk) = self.key.get(start..)?.first_chunk() else { return Some(Piece::new(text)) };
        let first = match text.len() {
            0 => 0,
            bytes => u64::from_le_bytes(*chunk) & u64::MAX >> (64 - 8 * bytes.min(8)),
        };
        let last = text.last_chunk().map_or(first, |chunk| u64::from_le_bytes(*chunk));
        Some(Piece { mark: mark(first, last, text.len()), text })
    }
}

impl<'k> Piece<'k> {
    /// The piece with this text.
    #[inline]
    pub(super) fn new(text: &'k [u8]) -> Self {
        let first = number(text.get(..8).unwrap_or(text));
        let last = text.last_chunk().map_or(first, |chunk| u64::from_le_bytes(*chunk));
        Self { mark: mark(first, last, text.len()), text }
    }

    /// The order of pieces, which differs from the order of their texts.
    #[inline]
    pub(super) fn order(self, other: Self) -> Ordering {
        self.mark.cmp(&other.mark).then_with(|| self.text.cmp(other.text))
    }
}

/// Up to eight bytes as a number.
#[inline]
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Names that are numbered differ in their last bytes, other names in their first bytes.
#[inline]
fn mark(first: u64, last: u64, length: usize) -> u64 {
    first.rotate_left(24) ^ last ^ length as u64
}

/// Marks the bytes that are `:` with their highest bits.
#[inline]
fn colons(bytes: u64) -> u64 {
    const LOW_BITS: u64 = u64::from_le_bytes([0x7F; 8]);
    let bytes = bytes ^ u64::from_le_bytes([b':'; 8]);
    // The sum has the highest bit of a byte if one of its other bits is set.
    !(((bytes & LOW_BITS) + LOW_BITS) | bytes | LOW_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_cut_as_a_slice_is_split() {
        let mut random = fastrand::Rng::with_seed(7);
        for _ in 0..20_000 {
            let bytes = [b':', b'a', b'.', 0, b':' | 0x80, b'9', b';'];
            let key: Vec<u8> =
                (0..random.usize(..=130)).map(|_| bytes[random.usize(..7) * random.usize(..2)]).collect();
            let sparse: Vec<u8> = (0..random.usize(..=130)).map(|_| bytes[random.usize(..40).min(6)]).collect();
            for key in [key, sparse] {
                let expected: Vec<_> =
                    key.split(|byte| *byte == b':').map(Piece::new).map(|piece| (piece.mark, piece.text)).collect();
                let cut = CutKey::new(&key);
                let pieces: Option<Vec<_>> = cut.as_ref().map(|cut| {
                    (0..cut.count)
                        .filter_map(|index| cut.segment(index))
                        .map(|piece| (piece.mark, piece.text))
                        .collect()
                });
                let is_cut = key.len() <= MAX_KEY_BYTES && expected.len() <= MAX_SEGMENTS;
                assert_eq!(pieces, is_cut.then_some(expected), "{}", key.escape_ascii());
            }
        }
    }
}
