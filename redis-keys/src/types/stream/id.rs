//! The IDs of entries, and ranges of them.

use std::borrow::Borrow;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{error, fmt};

use redis::{Cmd, RedisWrite as _, Value};

use crate::command::ReplyError;
use crate::command::arguments::{Amount, Arguments, Capacity, each};
use crate::error::Cause;
use crate::schema::Schema;

/// The ID of an entry: the time of its addition in milliseconds, and a sequence number within the millisecond.
///
/// IDs have the same order as their entries. They are displayed in Redis's notation, and parsed from the same text.
///
/// ```
/// use redis_keys::types::stream::EntryId;
///
/// let id: EntryId = "1767225600000-3".parse()?;
/// assert_eq!((id.ms(), id.seq()), (1_767_225_600_000, 3));
/// assert_eq!(id.to_string(), "1767225600000-3");
/// assert!(id > EntryId::new(1_767_225_600_000, 2) && id < EntryId::MAX);
/// # Ok::<(), redis_keys::types::stream::ParseEntryIdError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId {
    // The derived order compares the fields in this order.
    ms: u64,
    seq: u64,
}

impl EntryId {
    /// 0-0, which is less than the ID of every entry.
    pub const MIN: Self = Self::new(0, 0);

    /// The greatest possible ID.
    pub const MAX: Self = Self::new(u64::MAX, u64::MAX);

    /// Creates an ID from a millisecond and a sequence number.
    pub const fn new(ms: u64, seq: u64) -> Self {
        Self { ms, seq }
    }

    /// Returns the least ID of a moment, for a range's start or end; [`MIN`](Self::MIN) for moments before 1970.
    ///
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    /// use redis_keys::types::stream::EntryId;
    ///
    /// assert_eq!(EntryId::at(UNIX_EPOCH + Duration::from_secs(5)), EntryId::new(5_000, 0));
    /// ```
    pub fn at(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::new(u64::try_from(since.as_millis()).unwrap_or(u64::MAX), 0)
    }

    /// Returns the time of the addition in milliseconds since 1970, by the server's clock.
    pub const fn ms(self) -> u64 {
        self.ms
    }

    /// Returns the sequence number among the entries of the same millisecond, which starts at 0.
    pub const fn seq(self) -> u64 {
        self.seq
    }

    /// Returns the time of the addition by the server's clock, `None` if a [`SystemTime`] cannot represent it.
    pub fn time(self) -> Option<SystemTime> {
        UNIX_EPOCH.checked_add(Duration::from_millis(self.ms))
    }

    /// Returns the next greater ID, `None` for [`MAX`](Self::MAX).
    pub fn next(self) -> Option<Self> {
        self.to_bits().checked_add(1).map(Self::from_bits)
    }

    /// Returns the next lesser ID, `None` for [`MIN`](Self::MIN).
    pub fn previous(self) -> Option<Self> {
        self.to_bits().checked_sub(1).map(Self::from_bits)
    }

    /// Returns the ID as a single number, in the same order.
    pub(crate) fn to_bits(self) -> u128 {
        u128::from(self.ms) << 64 | u128::from(self.seq)
    }

    #[expect(clippy::cast_possible_truncation, reason = "these are the two halves")]
    pub(crate) fn from_bits(bits: u128) -> Self {
        Self::new((bits >> 64) as u64, bits as u64)
    }

    /// Reads the ID in a reply.
    pub(super) fn read(reply: &Value) -> Result<Self, ReplyError> {
        let text = match reply {
            Value::BulkString(text) => std::str::from_utf8(text).ok(),
            Value::SimpleString(text) => Some(text.as_str()),
            _ => None,
        };
        text.and_then(|text| text.parse().ok()).ok_or_else(ReplyError::unexpected)
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ms, self.seq)
    }
}

impl fmt::Debug for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EntryId({self})")
    }
}

impl FromStr for EntryId {
    type Err = ParseEntryIdError;

    fn from_str(text: &str) -> Result<Self, ParseEntryIdError> {
        let number = |digits: &str| {
            // The parser of `u64` accepts a `+` too.
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| plain).ok_or(ParseEntryIdError(()))
        };
        let (ms, seq) = text.split_once('-').ok_or(ParseEntryIdError(()))?;
        Ok(Self::new(number(ms)?, number(seq)?))
    }
}

/// Milliseconds and sequence number.
impl From<(u64, u64)> for EntryId {
    fn from((ms, seq): (u64, u64)) -> Self {
        Self::new(ms, seq)
    }
}

/// Milliseconds and sequence number.
impl From<EntryId> for (u64, u64) {
    fn from(id: EntryId) -> Self {
        (id.ms, id.seq)
    }
}

/// The error of parsing an [`EntryId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseEntryIdError(());

impl fmt::Display for ParseEntryIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an entry ID of two integers, such as `1767225600000-3`")
    }
}

impl error::Error for ParseEntryIdError {}

impl Arguments for EntryId {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, 24)
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        cmd.write_arg_fmt(self);
        Ok(Amount::Some)
    }
}

/// Up to 500 IDs.
pub(super) fn entry_ids<I>(ids: I) -> impl Arguments
where
    I: IntoIterator,
    I::Item: Borrow<EntryId>,
{
    each(1, ids, |cmd, _schema, id| {
        cmd.write_arg_fmt(id.borrow());
        Ok(())
    })
}

/// The two ends of a range of IDs. For an empty range there is nothing to do.
pub(super) struct IdRange(Option<[RangeEnd; 2]>);

enum RangeEnd {
    Lowest,
    Id(EntryId),
    Highest,
}

impl IdRange {
    /// The range for a command that starts at the lowest ID.
    pub(super) fn ascending(ids: impl RangeBounds<EntryId>) -> Self {
        Self(inclusive_ends(&ids))
    }

    /// The range for a command that starts at the highest ID.
    pub(super) fn descending(ids: impl RangeBounds<EntryId>) -> Self {
        Self(inclusive_ends(&ids).map(|[lower, upper]| [upper, lower]))
    }
}

/// Returns the lower and the upper end, both inside the range; `None` if the range is empty.
fn inclusive_ends(ids: &impl RangeBounds<EntryId>) -> Option<[RangeEnd; 2]> {
    let lower = match ids.start_bound() {
        Bound::Unbounded => None,
        Bound::Included(id) => Some(*id),
        Bound::Excluded(id) => Some(id.next()?),
    };
    let upper = match ids.end_bound() {
        Bound::Unbounded => None,
        Bound::Included(id) => Some(*id),
        Bound::Excluded(id) => Some(id.previous()?),
    };
    if lower > Some(upper.unwrap_or(EntryId::MAX)) {
        return None;
    }
    Some([lower.map_or(RangeEnd::Lowest, RangeEnd::Id), upper.map_or(RangeEnd::Highest, RangeEnd::Id)])
}

impl Arguments for IdRange {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(2, 48)
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        let Self(Some(ends)) = self else { return Ok(Amount::Nothing) };
        for end in ends {
            match end {
                RangeEnd::Lowest => cmd.write_arg(b"-"),
                RangeEnd::Id(id) => cmd.write_arg_fmt(id),
                RangeEnd::Highest => cmd.write_arg(b"+"),
            }
        }
        Ok(Amount::Some)
    }
}
