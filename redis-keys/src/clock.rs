//! The clock and randomness, both of which tests can fix.

#[cfg(any(test, feature = "testing"))]
use std::cell::Cell;
use std::time::SystemTime;

#[cfg(any(test, feature = "testing"))]
thread_local! {
    /// The share of each random number's range that this thread's commands get, from 0 to 1.
    pub(crate) static FIXED_SHARE: Cell<Option<f64>> = const { Cell::new(None) };
    /// The next number of this thread, while its random numbers are fixed.
    pub(crate) static FIXED_NUMBER: Cell<u64> = const { Cell::new(0) };
    /// The time of this thread's commands.
    pub(crate) static FIXED_TIME: Cell<Option<SystemTime>> = const { Cell::new(None) };
}

/// Returns a random number from 0 to `max`, inclusive.
#[inline]
pub(crate) fn up_to(max: u64) -> u64 {
    if max == 0 {
        return 0;
    }
    #[cfg(any(test, feature = "testing"))]
    if let Some(share) = FIXED_SHARE.get() {
        return part_of(max, share);
    }
    fastrand::u64(0..=max)
}

/// Returns the first of `count` consecutive numbers. They start at 0 when a test fixes random numbers.
#[inline]
pub(crate) fn fixed_number(count: u64) -> Option<u64> {
    #[cfg(any(test, feature = "testing"))]
    if FIXED_SHARE.get().is_some() {
        let first = FIXED_NUMBER.get();
        FIXED_NUMBER.set(first.saturating_add(count));
        return Some(first);
    }
    _ = count;
    None
}

/// Returns the current time.
pub(crate) fn now() -> SystemTime {
    #[cfg(any(test, feature = "testing"))]
    if let Some(time) = FIXED_TIME.get() {
        return time;
    }
    SystemTime::now()
}

/// Jitters are far below 2^53 milliseconds, and shares are between 0 and 1.
#[cfg(any(test, feature = "testing"))]
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn part_of(max: u64, share: f64) -> u64 {
    (max as f64 * share) as u64
}
