//! Replies, and the decoders that all types of keys share.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

use std::{mem, vec};

use redis::{Cmd, Value};

use super::{ReplyError, Sent};
use crate::TimeLeft;

/// The replies to a command, none of them an error.
pub(crate) enum Replies {
    One(Value),
    Many(Vec<Value>),
}

/// What a decoder returns.
pub(crate) enum Step<T> {
    Done(T),
    /// The result, after these commands have been sent.
    Then(Box<(T, Vec<Cmd>)>),
}

impl<T> Step<T> {
    pub(crate) fn then(result: T, cmds: Vec<Cmd>) -> Self {
        if cmds.is_empty() { Self::Done(result) } else { Self::Then(Box::new((result, cmds))) }
    }
}

impl Replies {
    /// Returns the first reply.
    #[inline]
    pub(crate) fn one(self) -> Value {
        match self {
            Self::One(value) => value,
            Self::Many(mut values) => values.first_mut().map(mem::take).unwrap_or_default(),
        }
    }

    /// Whether there is no list of values.
    #[inline]
    pub(crate) fn has_one_value(&self) -> bool {
        matches!(self, Self::One(Value::BulkString(_) | Value::Int(_) | Value::Okay | Value::Nil))
    }

    /// Removes the last reply and returns it with its index.
    pub(crate) fn pop(&mut self) -> (Value, usize) {
        match self {
            Self::One(_) => (Value::Nil, 0),
            Self::Many(values) => {
                let last = values.pop().unwrap_or_default();
                (last, values.len())
            }
        }
    }

    pub(crate) fn all(self) -> vec::IntoIter<Value> {
        match self {
            Self::One(value) => vec![value].into_iter(),
            Self::Many(values) => values.into_iter(),
        }
    }
}

/// Reads `OK`.
pub(crate) fn done(replies: Replies, _sent: &Sent<'_>) -> Result<Step<()>, ReplyError> {
    match replies.one() {
        Value::Okay => Ok(Step::Done(())),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads 1 or 0 as a flag.
pub(crate) fn flag(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, ReplyError> {
    match replies.one() {
        Value::Int(number) => Ok(Step::Done(number != 0)),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads a count.
pub(crate) fn count(replies: Replies, _sent: &Sent<'_>) -> Result<Step<u64>, ReplyError> {
    match replies.one() {
        Value::Int(number) => u64::try_from(number).map(Step::Done).map_err(|_| ReplyError::unexpected()),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads the reply to PTTL.
pub(crate) fn time_left(replies: Replies, _sent: &Sent<'_>) -> Result<Step<TimeLeft>, ReplyError> {
    match replies.one() {
        Value::Int(ms) => Ok(Step::Done(TimeLeft::from_pttl(ms))),
        _ => Err(ReplyError::unexpected()),
    }
}
