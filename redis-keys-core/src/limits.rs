//! The limits of the rules, the bytes of a key, and the step of rate limits.

use std::time::Duration;

/// The maximum bytes of a key.
pub const MAX_KEY_BYTES: usize = 128;

/// The maximum bytes of a key under its legacy text.
pub const MAX_LEGACY_KEY_BYTES: usize = 4096;

/// The maximum bytes of a value without `max_bytes`.
pub const DEFAULT_MAX_BYTES: u64 = 10 * 1024;

/// The largest `max_bytes`.
pub const MAX_MAX_BYTES: u64 = 1024 * 1024;

/// The maximum elements of a collection without `max_len`, and the largest `max_len`.
pub const MAX_MAX_LEN: u64 = 5000;

/// The largest `keep_last` of a stream. It exceeds a collection's limit, because a stream is read in parts.
pub const MAX_STREAM_KEEP_LAST: u64 = 1_000_000;

/// The maximum bytes of an element without `max_member_bytes`.
pub const DEFAULT_MAX_MEMBER_BYTES: u64 = 4 * 1024;

/// The maximum fields of a record, because one command reads them.
pub const MAX_RECORD_FIELDS: usize = 100;

/// The maximum bytes of the name of a record's field.
pub const MAX_FIELD_BYTES: usize = 64;

/// The longest `ttl`. A key that lives longer needs `ttl = never` and a reason.
pub const LONGEST_TTL: Duration = Duration::from_secs(3650 * 24 * 60 * 60);

/// Returns the microseconds after which a rate limit allows one more, rounded up. For 3 in a second, it is 333334.
#[allow(clippy::cast_possible_truncation, reason = "it is at most the maximum")]
pub const fn rate_step(count: u64, per: Duration) -> u64 {
    let micros = per.as_micros();
    let micros = if micros > u64::MAX as u128 { u64::MAX } else { micros as u64 };
    micros.div_ceil(if count == 0 { 1 } else { count })
}

/// The state of a rate limit, by the generic cell rate algorithm: the script `limit.lua` computes the same.
///
/// All times are in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RateState {
    /// The time at which a whole burst is allowed again.
    full: u64,
}

impl RateState {
    /// Takes an amount that takes the time `cost` to be allowed again; a whole burst takes the time `burst`.
    ///
    /// Returns the time until the amount is allowed, or zero if it has been taken, and the time until a whole burst is
    /// allowed again.
    ///
    /// ```
    /// use redis_keys_core::limits::RateState;
    ///
    /// // Two at once, and then one every 600 µs.
    /// let mut state = RateState::default();
    /// let mut take = |now| state.take(now, 600, 1200);
    /// assert_eq!([take(1000), take(1000), take(1000)], [(0, 600), (0, 1200), (600, 1200)]);
    /// assert_eq!([take(1599), take(1600)], [(1, 601), (0, 1200)]);
    /// ```
    pub fn take(&mut self, now: u64, cost: u64, burst: u64) -> (u64, u64) {
        let last = now.saturating_add(burst);
        // Later than after a whole burst: the clock was set back.
        self.full = self.full.min(last);
        let after = self.full.max(now).saturating_add(cost);
        let wait = after.saturating_sub(last);
        if wait == 0 && cost > 0 {
            self.full = after;
        }
        (wait, self.full.saturating_sub(now))
    }

    /// Returns whether a whole burst is allowed.
    pub fn is_full(self, now: u64) -> bool {
        self.full <= now
    }
}

/// Whether a word of a key can contain a byte: `a` to `z` and `0` to `9`.
///
/// ```
/// use redis_keys_core::limits::is_word_byte;
///
/// assert!(is_word_byte(b'a') && is_word_byte(b'7'));
/// assert!(!is_word_byte(b'A') && !is_word_byte(b'_') && !is_word_byte(b'.'));
/// ```
#[inline]
pub const fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}
