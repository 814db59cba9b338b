//! The ids of entries.

use std::{
    error, fmt,
    str::FromStr,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use redis::{Cmd, RedisWrite as _, Value};

use crate::command::Fault;

/// The id of a stream's entry: the server's time in milliseconds when it was added, and a number that tells those of one
/// millisecond apart.
///
/// Ids are in the order of their entries. They are written as Redis writes them, and parsed from the same text.
///
/// ```
/// use redis_keys::stream::EntryId;
///
/// let id: EntryId = "1767225600000-3".parse()?;
/// assert_eq!((id.ms(), id.seq()), (1_767_225_600_000, 3));
/// assert_eq!(id.to_string(), "1767225600000-3");
/// assert!(id > EntryId::new(1_767_225_600_000, 2) && id < EntryId::MAX);
/// # Ok::<(), redis_keys::stream::ParseEntryIdError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId {
    // In this order, by which ids are compared.
    ms: u64,
    seq: u64,
}

impl EntryId {
    /// What is before every entry: no entry has this id.
    pub const MIN: Self = Self::new(0, 0);

    /// The highest id that there can be.
    pub const MAX: Self = Self::new(u64::MAX, u64::MAX);

    /// The id of that millisecond and number.
    pub const fn new(ms: u64, seq: u64) -> Self {
        Self { ms, seq }
    }

    /// The lowest id of a moment, for ranges that begin or end there. What is before 1970 gives [`MIN`](Self::MIN).
    ///
    /// ```
    /// use std::time::{Duration, UNIX_EPOCH};
    /// use redis_keys::stream::EntryId;
    ///
    /// assert_eq!(EntryId::at(UNIX_EPOCH + Duration::from_secs(5)), EntryId::new(5_000, 0));
    /// ```
    pub fn at(time: SystemTime) -> Self {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
        Self::new(u64::try_from(since.as_millis()).unwrap_or(u64::MAX), 0)
    }

    /// The milliseconds since 1970 when the entry was added, by the server's clock.
    pub const fn ms(self) -> u64 {
        self.ms
    }

    /// The number among the entries of the same millisecond, counted from 0.
    pub const fn seq(self) -> u64 {
        self.seq
    }

    /// When the entry was added, by the server's clock. `None` where a [`SystemTime`] does not reach so far.
    pub fn time(self) -> Option<SystemTime> {
        UNIX_EPOCH.checked_add(Duration::from_millis(self.ms))
    }

    /// The lowest id above this one; `None` for [`MAX`](Self::MAX).
    pub fn next(self) -> Option<Self> {
        self.to_bits().checked_add(1).map(Self::from_bits)
    }

    /// The highest id below this one; `None` for [`MIN`](Self::MIN).
    pub fn previous(self) -> Option<Self> {
        self.to_bits().checked_sub(1).map(Self::from_bits)
    }

    /// The id as one number, in the same order.
    pub(crate) fn to_bits(self) -> u128 {
        u128::from(self.ms) << 64 | u128::from(self.seq)
    }

    #[expect(clippy::cast_possible_truncation, reason = "these are the two halves")]
    pub(crate) fn from_bits(bits: u128) -> Self {
        Self::new((bits >> 64) as u64, bits as u64)
    }

    /// Adds it to a command.
    pub(crate) fn push(self, cmd: &mut Cmd) {
        cmd.write_arg_fmt(self);
    }

    /// The id in a reply.
    pub(crate) fn read(reply: &Value) -> Result<Self, Fault> {
        let text = match reply {
            Value::BulkString(text) => std::str::from_utf8(text).ok(),
            Value::SimpleString(text) => Some(text.as_str()),
            _ => None,
        };
        text.and_then(|text| text.parse().ok()).ok_or_else(Fault::unexpected)
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
            // `u64` would take a `+` too.
            let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse().ok().filter(|_| plain).ok_or(ParseEntryIdError(()))
        };
        let (ms, seq) = text.split_once('-').ok_or(ParseEntryIdError(()))?;
        Ok(Self::new(number(ms)?, number(seq)?))
    }
}

/// Milliseconds and number.
impl From<(u64, u64)> for EntryId {
    fn from((ms, seq): (u64, u64)) -> Self {
        Self::new(ms, seq)
    }
}

/// Milliseconds and number.
impl From<EntryId> for (u64, u64) {
    fn from(id: EntryId) -> Self {
        (id.ms, id.seq)
    }
}

/// A text that is no [`EntryId`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseEntryIdError(());

impl fmt::Display for ParseEntryIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the id of an entry is two whole numbers, as in `1767225600000-3`")
    }
}

impl error::Error for ParseEntryIdError {}
