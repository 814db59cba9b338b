//! The remaining time to live of a key.

use std::time::Duration;

/// The remaining time to live of a key, as [`RedisKey::ttl`](crate::RedisKey::ttl) returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLeft {
    /// The key does not exist.
    Missing,
    /// The key never expires.
    Never,
    /// The key expires after this time.
    Left(Duration),
    /// The value of a [`CachedKey`](crate::cache::CachedKey) with `stale` has expired. It is kept for this time, in
    /// case its loader fails.
    Stale(Duration),
}

impl TimeLeft {
    /// Returns the time after which the key expires, or `None` if the key does not exist, never expires, or has expired.
    pub fn left(self) -> Option<Duration> {
        match self {
            Self::Left(left) => Some(left),
            Self::Missing | Self::Never | Self::Stale(_) => None,
        }
    }

    pub(crate) fn from_pttl(ms: i64) -> Self {
        match u64::try_from(ms) {
            Ok(ms) => Self::Left(Duration::from_millis(ms)),
            Err(_) if ms == -1 => Self::Never,
            Err(_) => Self::Missing,
        }
    }
}
