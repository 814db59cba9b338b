//! The decisions of a rate limit, and its numbers in microseconds.

// This code reads replies: arithmetic on them must not overflow, and they must not be used as indexes.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

use std::time::Duration;

use redis::Value;
#[cfg(feature = "tower")]
use redis_keys_core::limits::RateState;
use redis_keys_core::limits::rate_step;

use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step};
use crate::error::Cause;
use crate::schema::{LimitOptions, Role, Schema};
use crate::stored::StoredError;

/// The decision of [`LimitKey::take`](super::LimitKey::take), and the state of the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "whether it is allowed has to be checked"]
#[non_exhaustive]
pub struct Decision {
    /// Whether the requested number is allowed. If not, none is taken.
    pub allowed: bool,
    /// The number that is still allowed at once now, at most `burst`.
    pub remaining: u64,
    /// If not allowed, the time until the same number is allowed, provided that no other caller takes any.
    pub retry_after: Option<Duration>,
    /// The time until a whole burst is allowed again, zero if it is allowed now.
    pub reset_after: Duration,
}

/// A rate limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rate {
    /// The microseconds until one more is allowed: with `limit(3 / 1s)`, 333334.
    step: u64,
    /// The number that is allowed at once.
    pub(super) burst: u64,
}

impl Rate {
    /// Returns the rate of a declaration. It is evaluated at compile time.
    pub(super) const fn of(schema: &Schema) -> Self {
        let Some(Role::Limit(LimitOptions { count, per, burst, .. })) = schema.role else {
            // Only the derive implements `LimitKey`, with these options.
            return Self { step: 1, burst: 0 };
        };
        Self { step: rate_step(count, per), burst }
    }

    /// Returns the time in which this many are allowed again.
    pub(super) fn time_of(self, number: u64) -> u64 {
        self.step.saturating_mul(number)
    }

    /// Returns how many are allowed at once, if a whole burst is allowed after this time.
    pub(super) fn remaining(self, until_full: u64) -> u64 {
        self.burst.saturating_sub(until_full.div_ceil(self.step))
    }

    /// Takes one without the server.
    #[cfg(feature = "tower")]
    pub(super) fn take_one(self, state: &mut RateState, now: u64) -> Decision {
        let (wait, until_full) = state.take(now, self.step, self.time_of(self.burst));
        self.decision(wait, until_full)
    }

    /// Builds the decision from the time until the request is allowed, and the time until a whole burst is allowed again.
    ///
    /// Both are in microseconds, and zero if the time is now.
    fn decision(self, wait: u64, until_full: u64) -> Decision {
        Decision {
            allowed: wait == 0,
            remaining: self.remaining(until_full),
            retry_after: (wait > 0).then(|| Duration::from_micros(wait)),
            reset_after: Duration::from_micros(until_full),
        }
    }

    /// Returns the time from a decision until more are allowed than [remain](Decision::remaining) now.
    #[cfg(feature = "tower")]
    pub(super) fn until_more(self, decision: Decision) -> Duration {
        let taken_then = self.burst.saturating_sub(decision.remaining).saturating_sub(1);
        decision.reset_after.saturating_sub(Duration::from_micros(self.time_of(taken_then)))
    }
}

/// Reads the script's reply.
pub(super) fn read(rate: Rate, replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Decision> {
    let numbers = match replies.one() {
        Value::Array(numbers) => numbers,
        Value::Int(len) => return Err(not_a_time(len)),
        _ => return Err(ReplyError::unexpected()),
    };
    let [Value::Int(wait), Value::Int(until_full)] = *numbers.as_slice() else {
        return Err(ReplyError::unexpected());
    };
    let until_full = u64::try_from(until_full).map_err(|_| ReplyError::unexpected())?;
    // Not positive if the request is allowed.
    Ok(Step::Done(rate.decision(u64::try_from(wait).unwrap_or_default(), until_full)))
}

#[cold]
fn not_a_time(len: i64) -> ReplyError {
    ReplyError::new(Cause::Decode {
        stored: StoredError::new("not a time in microseconds"),
        bytes: usize::try_from(len).ok(),
    })
}
