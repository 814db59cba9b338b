//! Replies about the expiry of one field, of open hashes and of records.

use redis::Value;

use crate::{
    TimeLeft,
    command::{Fault, Replies, Sent, Step},
};

/// Reads whether something has changed.
pub(crate) fn read_changed(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, Fault> {
    read_number(&replies.one()).map(|number| Step::Done(number == 1))
}

pub(crate) fn read_time_left(replies: Replies, _sent: &Sent<'_>) -> Result<Step<TimeLeft>, Fault> {
    read_number(&replies.one()).map(|ms| Step::Done(TimeLeft::from_pttl(ms)))
}

/// Reads the number for the one field. If the key does not exist, some servers return nothing.
fn read_number(reply: &Value) -> Result<i64, Fault> {
    match reply {
        Value::Nil => Ok(-2),
        Value::Array(numbers) => match numbers.as_slice() {
            [Value::Int(number)] => Ok(*number),
            _ => Err(Fault::unexpected()),
        },
        _ => Err(Fault::unexpected()),
    }
}
