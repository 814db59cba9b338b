//! What the replies to accessors of collections hold.

use redis::{Arg, Value};

use crate::{
    command::{Fault, Replies, Sent, Step, value},
    error::Cause,
    stored::Stored,
};

/// A size, or the one that would have been too large, negative.
pub(crate) fn size(replies: Replies, _sent: &Sent<'_>) -> Result<Step<u64>, Fault> {
    match replies.one() {
        Value::Int(size) if size < 0 => Err(Fault::new(Cause::CollectionSize { len: size.unsigned_abs() })),
        Value::Int(size) => Ok(Step::Done(size.unsigned_abs())),
        _ => Err(Fault::unexpected()),
    }
}

/// Whether one element was new, or the size that would have been too large, negative.
pub(crate) fn added(replies: Replies, sent: &Sent<'_>) -> Result<Step<bool>, Fault> {
    match size(replies, sent)? {
        Step::Done(count) => Ok(Step::Done(count != 0)),
        Step::Then(_) => Err(Fault::unexpected()),
    }
}

/// One element or none.
pub(crate) fn element<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<V::Output>>, Fault> {
    value::read::<V>(replies.one()).map(Step::Done)
}

/// Elements in a list or a set. Nothing is no element.
pub(crate) fn elements<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Vec<V::Output>>, Fault> {
    let found = list(replies.one())?.into_iter().map(value::read_one::<V>);
    found.collect::<Result<_, _>>().map(Step::Done)
}

/// 1 or 0 for each that was asked for.
pub(crate) fn flags(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<bool>>, Fault> {
    let flag = |value| match value {
        Value::Int(number) => Ok(number != 0),
        Value::Boolean(flag) => Ok(flag),
        _ => Err(Fault::unexpected()),
    };
    all_asked(replies.one(), sent, 0)?.into_iter().map(flag).collect::<Result<_, _>>().map(Step::Done)
}

/// The values of a list that has one for each element that the command of that number asks for.
pub(crate) fn all_asked(reply: Value, sent: &Sent<'_>, command: usize) -> Result<Vec<Value>, Fault> {
    let values = list(reply)?;
    if asked(sent, command).is_some_and(|asked| asked != values.len()) {
        return Err(Fault::unexpected());
    }
    Ok(values)
}

/// How many elements a command asks for whose last words they are, also one that a script runs.
fn asked(sent: &Sent<'_>, command: usize) -> Option<usize> {
    let mut words = sent.command(command)?.args_iter();
    let by_script = matches!(words.next()?, Arg::Simple(b"EVALSHA" | b"EVAL"));
    // The script, the number of keys, the key, the expiry and the command; or the key.
    words.len().checked_sub(if by_script { 5 } else { 1 })
}

/// The values of a list, however the protocol calls it; none where there is no key.
pub(crate) fn list(reply: Value) -> Result<Vec<Value>, Fault> {
    match reply {
        Value::Array(values) | Value::Set(values) => Ok(values),
        Value::Nil => Ok(Vec::new()),
        _ => Err(Fault::unexpected()),
    }
}

/// The pairs of a list or a map: one value after the other, as lists of two, or as a map's.
pub(crate) fn pairs(reply: Value) -> Result<Vec<(Value, Value)>, Fault> {
    let values = match reply {
        Value::Map(pairs) => return Ok(pairs),
        reply => list(reply)?,
    };
    let mut pairs = Vec::with_capacity(values.len());
    let mut values = values.into_iter();
    while let Some(first) = values.next() {
        pairs.push(match first {
            Value::Array(pair) => <[Value; 2]>::try_from(pair).map_err(|_| Fault::unexpected())?.into(),
            first => (first, values.next().ok_or_else(Fault::unexpected)?),
        });
    }
    Ok(pairs)
}

/// At which place something is, or nothing.
pub(crate) fn place(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<u64>>, Fault> {
    match replies.one() {
        Value::Nil => Ok(Step::Done(None)),
        Value::Int(place) => u64::try_from(place).map(|place| Step::Done(Some(place))).map_err(|_| Fault::unexpected()),
        _ => Err(Fault::unexpected()),
    }
}

/// A score, which the protocols write as a number or as text.
pub(crate) fn score(reply: &Value) -> Result<f64, Fault> {
    match reply {
        Value::Double(score) => Ok(*score),
        #[expect(clippy::cast_precision_loss, reason = "scores are floats")]
        Value::Int(score) => Ok(*score as f64),
        Value::BulkString(text) => {
            let text = std::str::from_utf8(text).ok();
            text.and_then(|text| text.parse().ok()).ok_or_else(Fault::unexpected)
        }
        _ => Err(Fault::unexpected()),
    }
}

/// A score, or nothing.
pub(crate) fn score_or_none(reply: &Value) -> Result<Option<f64>, Fault> {
    if *reply == Value::Nil { Ok(None) } else { score(reply).map(Some) }
}

/// A score, or nothing, by itself.
pub(crate) fn optional_score(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<f64>>, Fault> {
    score_or_none(&replies.one()).map(Step::Done)
}

/// Cursors have 64 bits, and come as text.
pub(crate) fn cursor(reply: &Value) -> Result<u64, Fault> {
    match reply {
        Value::BulkString(text) => {
            let text = std::str::from_utf8(text).ok();
            text.and_then(|text| text.parse().ok()).ok_or_else(Fault::unexpected)
        }
        Value::Int(cursor) => u64::try_from(*cursor).map_err(|_| Fault::unexpected()),
        _ => Err(Fault::unexpected()),
    }
}
