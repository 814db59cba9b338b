//! The two things that differ from call to call, and which tests can fix: the jitter and the clock.

use std::time::SystemTime;

/// A random number from 0 to `most`, both included.
#[inline]
pub(crate) fn up_to(most: u64) -> u64 {
    if most == 0 {
        return 0;
    }
    #[cfg(any(test, feature = "testing"))]
    if let Some(number) = crate::testing::fixed_jitter(most) {
        return number;
    }
    fastrand::u64(0..=most)
}

/// The time of the day.
pub(crate) fn now() -> SystemTime {
    #[cfg(any(test, feature = "testing"))]
    if let Some(time) = crate::testing::fixed_clock() {
        return time;
    }
    SystemTime::now()
}
