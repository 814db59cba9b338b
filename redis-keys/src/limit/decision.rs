//! Whether something is allowed.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

use std::time::Duration;

use redis::Value;

use super::rate::Rate;
use crate::{
    command::{Replies, ReplyError, Sent, Step},
    error::Cause,
    stored::StoredError,
};

/// What [`LimitKey::take`](super::LimitKey::take) returns: whether as many are allowed, and how the limit stands then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "whether it is allowed has to be checked"]
#[non_exhaustive]
pub struct Decision {
    /// Whether they are allowed. If not, none of them is taken.
    pub allowed: bool,
    /// How many more are allowed at once now, at most `burst`.
    pub remaining: u64,
    /// If they are not allowed, the time after which they are, provided that nobody else takes any.
    pub retry_after: Option<Duration>,
    /// The time after which a whole burst is allowed again, zero if it is now.
    pub reset_after: Duration,
}

/// Reads the reply of the script.
pub(super) fn read(rate: Rate, replies: Replies, _sent: &Sent<'_>) -> Result<Step<Decision>, ReplyError> {
    let numbers = match replies.one() {
        Value::Array(numbers) => numbers,
        Value::Int(len) => return Err(not_a_time(len)),
        _ => return Err(ReplyError::unexpected()),
    };
    let [Value::Int(wait), Value::Int(micros), Value::Int(part)] = *numbers.as_slice() else {
        return Err(ReplyError::unexpected());
    };
    let (Ok(micros), Ok(part)) = (u64::try_from(micros), u64::try_from(part)) else {
        return Err(ReplyError::unexpected());
    };
    let wait = u64::try_from(wait).ok().filter(|wait| *wait > 0);
    Ok(Step::Done(Decision {
        allowed: wait.is_none(),
        remaining: rate.remaining(micros, part),
        retry_after: wait.map(Duration::from_micros),
        reset_after: Duration::from_micros(micros.saturating_add(u64::from(part > 0))),
    }))
}

#[cold]
fn not_a_time(len: i64) -> ReplyError {
    ReplyError::new(Cause::Decode {
        stored: StoredError::new("not a time in microseconds"),
        bytes: usize::try_from(len).ok(),
    })
}
