//! Randomness and the clock, both of which tests can fix.

use std::time::SystemTime;

/// Returns a random number from 0 to `max`, inclusive.
#[inline]
pub(crate) fn up_to(max: u64) -> u64 {
    if max == 0 {
        return 0;
    }
    #[cfg(any(test, feature = "testing"))]
    if let Some(number) = crate::testing::fixed_jitter(max) {
        return number;
    }
    fastrand::u64(0..=max)
}

/// Returns the current time.
pub(crate) fn now() -> SystemTime {
    #[cfg(any(test, feature = "testing"))]
    if let Some(time) = crate::testing::fixed_clock() {
        return time;
    }
    SystemTime::now()
}
