//! Replies, and what every kind of key reads from them.

use std::{mem, vec};

use redis::{Cmd, Value};

use super::{Fault, Sent};
use crate::TimeLeft;

/// The replies to what was sent, none of them an error.
pub(crate) enum Replies {
    One(Value),
    Many(Vec<Value>),
}

/// What a decoder finds.
pub(crate) enum Step<T> {
    Done(T),
    /// The result, once these have been sent too.
    Then(Box<(T, Vec<Cmd>)>),
}

impl<T> Step<T> {
    pub(crate) fn then(result: T, cmds: Vec<Cmd>) -> Self {
        if cmds.is_empty() { Self::Done(result) } else { Self::Then(Box::new((result, cmds))) }
    }
}

impl Replies {
    /// The first reply.
    #[inline]
    pub(crate) fn one(self) -> Value {
        match self {
            Self::One(value) => value,
            Self::Many(mut values) => values.first_mut().map(mem::take).unwrap_or_default(),
        }
    }

    /// Takes the last reply away. Gives its number too.
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

/// `OK`.
pub(crate) fn done(replies: Replies, _sent: &Sent<'_>) -> Result<Step<()>, Fault> {
    match replies.one() {
        Value::Okay => Ok(Step::Done(())),
        _ => Err(Fault::unexpected()),
    }
}

/// 1 or 0, as whether something was there or was done.
pub(crate) fn flag(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, Fault> {
    match replies.one() {
        Value::Int(number) => Ok(Step::Done(number != 0)),
        _ => Err(Fault::unexpected()),
    }
}

/// A number of things.
pub(crate) fn count(replies: Replies, _sent: &Sent<'_>) -> Result<Step<u64>, Fault> {
    match replies.one() {
        Value::Int(number) => u64::try_from(number).map(Step::Done).map_err(|_| Fault::unexpected()),
        _ => Err(Fault::unexpected()),
    }
}

/// The answer to PTTL.
pub(crate) fn time_left(replies: Replies, _sent: &Sent<'_>) -> Result<Step<TimeLeft>, Fault> {
    match replies.one() {
        Value::Int(ms) => Ok(Step::Done(TimeLeft::from_pttl(ms))),
        _ => Err(Fault::unexpected()),
    }
}
