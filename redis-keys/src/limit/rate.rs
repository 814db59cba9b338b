//! The numbers of a rate limit, as exact fractions.

// They are compared with replies: arithmetic on them must not overflow.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

#[cfg(feature = "tower")]
use std::time::Duration;

#[cfg(feature = "tower")]
use super::Decision;
use crate::schema::{LimitOptions, Pattern, Schema};

/// A rate limit, with times as whole numbers of *parts* of a microsecond.
///
/// With `limit = 3 / 1s`, one more is allowed every 333333 1/3 microseconds: every million parts, of which a microsecond has three.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// The parts of a microsecond, as few as possible.
    parts: u128,
    /// The parts after which one more is allowed.
    step: u128,
    /// How many are allowed at once.
    pub(super) burst: u64,
}

/// A time: microseconds, and the parts beyond them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time {
    pub(super) micros: u64,
    pub(super) part: u64,
}

impl Rate {
    /// The rate of a declaration. It is evaluated at compile time.
    #[allow(clippy::arithmetic_side_effects, reason = "the period is at least 1 ms, the number at least 1")]
    pub(super) const fn of(schema: &Schema) -> Self {
        let Some(Pattern::Limit(LimitOptions { count, per, burst })) = schema.pattern else {
            // Only the derive implements `LimitKey`, with these options.
            return Self { parts: 1, step: 1, burst: 0 };
        };
        let (period, count) = (per.as_micros(), count as u128);
        let divisor = greatest_common_divisor(period, count);
        Self { parts: count / divisor, step: period / divisor, burst }
    }

    /// How long it takes until so many are allowed again, at most a burst.
    pub(super) fn time_of(self, number: u64) -> Time {
        let parts = self.step.saturating_mul(number.into());
        let whole = |parts: Option<u128>| parts.and_then(|parts| u64::try_from(parts).ok()).unwrap_or(u64::MAX);
        Time { micros: whole(parts.checked_div(self.parts)), part: whole(parts.checked_rem(self.parts)) }
    }

    /// How many a microsecond has.
    pub(super) fn parts(self) -> u64 {
        // At most a billion.
        u64::try_from(self.parts).unwrap_or(u64::MAX)
    }

    /// How many are allowed at once if a whole burst is allowed after this time.
    pub(super) fn remaining(self, micros: u64, part: u64) -> u64 {
        let until_full = self.parts.saturating_mul(micros.into()).saturating_add(part.into());
        let left = self.step.saturating_mul(self.burst.into()).saturating_sub(until_full);
        left.checked_div(self.step).and_then(|remaining| u64::try_from(remaining).ok()).unwrap_or(0)
    }

    /// How long it takes after a decision until one more is allowed than [remains](Decision::remaining) now.
    #[cfg(feature = "tower")]
    pub(super) fn until_more(self, decision: Decision) -> Duration {
        let until_full = decision.reset_after.as_micros().saturating_mul(self.parts);
        let left_then = self.step.saturating_mul(u128::from(decision.remaining).saturating_add(1));
        let burst = self.step.saturating_mul(self.burst.into());
        let micros = until_full.saturating_add(left_then).saturating_sub(burst).div_ceil(self.parts.max(1));
        Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX))
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "the divisor is not 0")]
const fn greatest_common_divisor(mut left: u128, mut right: u128) -> u128 {
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}
