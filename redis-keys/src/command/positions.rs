//! Ranges of positions, ranks and bytes.

use std::ops::{Bound, Range, RangeBounds, RangeInclusive, RangeTo, RangeToInclusive};

use redis::Cmd;
use redis_keys_core::limits::MAX_MAX_LEN;

use super::arguments::{Amount, Arguments, Capacity};
use crate::error::Cause;
use crate::schema::Schema;

/// A range of positions with an end: `0..10`, `0..=9`, `..10` or `..=9`.
///
/// Positions count from 0 and are `u32`. If you want to read all elements, however many there are, use a
/// [`Scan`](crate::scan::Scan).
///
/// ```
/// use redis_keys::{prelude::*, testing};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:recent:{user_id}:list, value = u64, ttl = 7d, keep_last = 100)]
/// struct Recent { user_id: u64 }
///
/// let recent = Recent { user_id: 42 };
/// assert_eq!(testing::text(recent.lrange(..10))?, ["LRANGE user:recent:42:list 0 9"]);
/// assert_eq!(testing::text(recent.lrange(10..=19))?, ["LRANGE user:recent:42:list 10 19"]);
/// # Ok::<(), redis_keys::Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bounded range of `u32` positions",
    label = "expected `a..b`, `a..=b`, `..b` or `..=b`, of `u32`",
    note = "to read all elements, use `lpages`, `zscan` or another scan, and its `collect`"
)]
pub trait PositionRange: RangeBounds<u32> + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! position_ranges {
    ($($range:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl PositionRange for $range<u32> {}
        impl sealed::Sealed for $range<u32> {}
    )*};
}

position_ranges!(Range RangeInclusive RangeTo RangeToInclusive);

/// The first and the last position of a range. For an empty range there is nothing to do.
pub(crate) struct Positions {
    /// The end can be `u32::MAX + 1`.
    range: Range<u64>,
    max: u64,
}

impl Positions {
    /// A range of at most 5,000 elements.
    #[inline]
    pub(crate) fn of_elements(range: impl PositionRange) -> Self {
        Self { max: MAX_MAX_LEN, ..Self::unlimited(range) }
    }

    /// A range of any length.
    #[inline]
    pub(crate) fn unlimited(range: impl PositionRange) -> Self {
        let start = match range.start_bound() {
            Bound::Included(start) | Bound::Excluded(start) => u64::from(*start),
            Bound::Unbounded => 0,
        };
        let end = match range.end_bound() {
            Bound::Included(last) => u64::from(*last) + 1,
            Bound::Excluded(end) => u64::from(*end),
            Bound::Unbounded => start,
        };
        Self { range: start..end, max: u64::MAX }
    }

    /// Returns the number of positions.
    pub(crate) fn len(&self) -> u64 {
        self.range.end.saturating_sub(self.range.start)
    }

    /// Returns the first and the last position, or `None` if the range is empty.
    pub(crate) fn ends(&self) -> Option<(u64, u64)> {
        // Ranges in Redis include their last position; `-1` would be the last position of all.
        (self.len() > 0).then(|| (self.range.start, self.range.end.saturating_sub(1)))
    }
}

impl Arguments for Positions {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(2, 20)
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        let Some((first, last)) = self.ends() else {
            return Ok(Amount::Nothing);
        };
        if self.len() > self.max {
            return Err(Cause::TooMany { most: self.max });
        }
        cmd.arg(first).arg(last);
        Ok(Amount::Some)
    }
}

#[cfg(test)]
mod tests {
    use super::{PositionRange, Positions};

    fn ends(range: impl PositionRange) -> Option<(u64, u64)> {
        Positions::unlimited(range).ends()
    }

    #[test]
    fn a_range_has_a_first_and_a_last_position() {
        assert_eq!(ends(2..10), Some((2, 9)));
        assert_eq!(ends(2..=9), Some((2, 9)));
        assert_eq!(ends(..10), Some((0, 9)));
        assert_eq!(ends(..=9), Some((0, 9)));
        assert_eq!(ends(..=u32::MAX), Some((0, u32::MAX.into())));
    }

    #[test]
    #[allow(clippy::reversed_empty_ranges, reason = "they are what is tested")]
    fn an_empty_range_has_none() {
        assert_eq!([ends(0..0), ends(7..7), ends(7..3), ends(7..=6), ends(..0)], [None; 5]);
        let mut range = 0..=0;
        range.next();
        assert_eq!(ends(range), None, "its only position is taken");
    }
}
