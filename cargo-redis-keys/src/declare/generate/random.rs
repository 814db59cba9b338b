//! Numbers that look random and are the same in each version and on each machine: a file of vectors is compared.

/// `SplitMix64`.
pub(super) struct Random(u64);

impl Random {
    /// The numbers of a text. A key's numbers do not depend on other keys.
    pub(super) fn of(text: &str) -> Self {
        // FNV-1a.
        let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(text.bytes().fold(0xcbf2_9ce4_8422_2325, hash))
    }

    pub(super) fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(super) fn wide(&mut self) -> u128 {
        u128::from(self.number()) << 64 | u128::from(self.number())
    }

    /// A number below `count`, or 0 if that is 0.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.number().checked_rem(count).unwrap_or_default()
    }

    /// A number of a range.
    pub(super) fn within(&mut self, from: i64, to: i64) -> i64 {
        let count = u64::try_from(to.saturating_sub(from)).unwrap_or_default() + 1;
        from + i64::try_from(self.below(count)).unwrap_or_default()
    }

    /// A length or an index below `count`.
    pub(super) fn index(&mut self, count: usize) -> usize {
        usize::try_from(self.below(count as u64)).unwrap_or_default()
    }

    /// Whether one of `count` times is it.
    pub(super) fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }

    pub(super) fn pick<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        all.get(self.index(all.len()))
    }

    /// Text of up to `most` of these pieces.
    pub(super) fn text(&mut self, pieces: &[&str], most: usize) -> String {
        (0..self.index(most + 1)).filter_map(|_| self.pick(pieces).copied()).collect()
    }
}
