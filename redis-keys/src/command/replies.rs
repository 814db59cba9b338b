//! Decoders of the replies to accessors of collections.

// Replies are read here: arithmetic on them must not overflow, and nothing is indexed by them.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects, clippy::indexing_slicing))]

use redis::{Arg, Value};

use crate::{
    TimeLeft,
    command::{Replies, ReplyError, Sent, Step, value},
    error::Cause,
    stored::Stored,
};

/// Reads a size, or the size that would have been too large, negative.
pub(crate) fn size(replies: Replies, _sent: &Sent<'_>) -> Result<Step<u64>, ReplyError> {
    match replies.one() {
        Value::Int(size) if size < 0 => Err(ReplyError::new(Cause::CollectionSize { len: size.unsigned_abs() })),
        Value::Int(size) => Ok(Step::Done(size.unsigned_abs())),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads whether one element was new, or the size that would have been too large, negative.
pub(crate) fn added(replies: Replies, sent: &Sent<'_>) -> Result<Step<bool>, ReplyError> {
    match size(replies, sent)? {
        Step::Done(count) => Ok(Step::Done(count != 0)),
        Step::Then(_) => Err(ReplyError::unexpected()),
    }
}

/// Reads one element or none.
pub(crate) fn element<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<V::Output>>, ReplyError> {
    value::read::<V>(replies.one()).map(Step::Done)
}

/// Reads the elements of a list or a set.
pub(crate) fn elements<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Vec<V::Output>>, ReplyError> {
    let found = list(replies.one())?.into_iter().map(value::read_one::<V>);
    found.collect::<Result<_, _>>().map(Step::Done)
}

/// Reads 1 or 0 for each element that was asked for.
pub(crate) fn flags(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<bool>>, ReplyError> {
    let flag = |value| match value {
        Value::Int(number) => Ok(number != 0),
        Value::Boolean(flag) => Ok(flag),
        _ => Err(ReplyError::unexpected()),
    };
    all_asked(replies.one(), sent, 0)?.into_iter().map(flag).collect::<Result<_, _>>().map(Step::Done)
}

/// Returns the values of a list, one for each element that the command asks for.
pub(crate) fn all_asked(reply: Value, sent: &Sent<'_>, command: usize) -> Result<Vec<Value>, ReplyError> {
    let values = list(reply)?;
    if asked(sent, command).is_some_and(|asked| asked != values.len()) {
        return Err(ReplyError::unexpected());
    }
    Ok(values)
}

/// The number of elements that a command asks for with its last arguments, run by a script or not.
fn asked(sent: &Sent<'_>, command: usize) -> Option<usize> {
    let mut words = sent.command(command)?.args_iter();
    let by_script = matches!(words.next()?, Arg::Simple(b"EVALSHA" | b"EVAL"));
    // The script, the number of keys, the key, the expiry and the command; or the key.
    words.len().checked_sub(if by_script { 5 } else { 1 })
}

/// Returns the values of a list or a set. A missing key has none.
pub(crate) fn list(reply: Value) -> Result<Vec<Value>, ReplyError> {
    match reply {
        Value::Array(values) | Value::Set(values) => Ok(values),
        Value::Nil => Ok(Vec::new()),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Returns the pairs of a list or a map: flat, as lists of two, or as a map.
pub(crate) fn pairs(reply: Value) -> Result<Vec<(Value, Value)>, ReplyError> {
    let values = match reply {
        Value::Map(pairs) => return Ok(pairs),
        reply => list(reply)?,
    };
    let mut pairs = Vec::with_capacity(values.len());
    let mut values = values.into_iter();
    while let Some(first) = values.next() {
        pairs.push(match first {
            Value::Array(pair) => <[Value; 2]>::try_from(pair).map_err(|_| ReplyError::unexpected())?.into(),
            first => (first, values.next().ok_or_else(ReplyError::unexpected)?),
        });
    }
    Ok(pairs)
}

/// Reads a position or none.
pub(crate) fn place(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<u64>>, ReplyError> {
    match replies.one() {
        Value::Nil => Ok(Step::Done(None)),
        Value::Int(place) => {
            u64::try_from(place).map(|place| Step::Done(Some(place))).map_err(|_| ReplyError::unexpected())
        }
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads a score, which the protocols write as a number or as text.
pub(crate) fn score(reply: &Value) -> Result<f64, ReplyError> {
    match reply {
        Value::Double(score) => Ok(*score),
        #[expect(clippy::cast_precision_loss, reason = "scores are floats")]
        Value::Int(score) => Ok(*score as f64),
        Value::BulkString(text) => {
            let text = std::str::from_utf8(text).ok();
            text.and_then(|text| text.parse().ok()).ok_or_else(ReplyError::unexpected)
        }
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads a score or none.
pub(crate) fn score_or_none(reply: &Value) -> Result<Option<f64>, ReplyError> {
    if *reply == Value::Nil { Ok(None) } else { score(reply).map(Some) }
}

/// Reads the reply that is a score or none.
pub(crate) fn optional_score(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<f64>>, ReplyError> {
    score_or_none(&replies.one()).map(Step::Done)
}

/// Reads a cursor of 64 bits, which comes as text.
pub(crate) fn cursor(reply: &Value) -> Result<u64, ReplyError> {
    match reply {
        Value::BulkString(text) => {
            let text = std::str::from_utf8(text).ok();
            text.and_then(|text| text.parse().ok()).ok_or_else(ReplyError::unexpected)
        }
        Value::Int(cursor) => u64::try_from(*cursor).map_err(|_| ReplyError::unexpected()),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads whether the expiry of the one field has changed.
pub(crate) fn field_changed(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, ReplyError> {
    number_of_field(&replies.one()).map(|number| Step::Done(number == 1))
}

/// Reads how long the one field lives.
pub(crate) fn field_time_left(replies: Replies, _sent: &Sent<'_>) -> Result<Step<TimeLeft>, ReplyError> {
    number_of_field(&replies.one()).map(|ms| Step::Done(TimeLeft::from_pttl(ms)))
}

/// Reads the number for the one field. If the key does not exist, some servers return nothing.
fn number_of_field(reply: &Value) -> Result<i64, ReplyError> {
    match reply {
        Value::Nil => Ok(-2),
        Value::Array(numbers) => match numbers.as_slice() {
            [Value::Int(number)] => Ok(*number),
            _ => Err(ReplyError::unexpected()),
        },
        _ => Err(ReplyError::unexpected()),
    }
}
