//! Replies, and the decoders that several types of keys share.

use std::str::FromStr;
use std::{mem, vec};

use redis::{Cmd, Value};

use super::value::Place;
use super::{ReplyContext, ReplyError, value};
use crate::error::Cause;
use crate::redis_rs::Words as _;
use crate::stored::Stored;
use crate::stored::cached::StaleTimes;
use crate::time_left::TimeLeft;

/// The replies to a command; none is an error.
pub(crate) enum Replies {
    One(Value),
    Many(Vec<Value>),
}

/// The result of a decoder.
pub(crate) enum Step<T> {
    Done(T),
    /// The result, to be returned after these commands have been sent.
    Then(Box<(T, Vec<Cmd>)>),
}

/// A decoded reply, or the reason why it cannot be decoded.
pub(crate) type DecodeResult<T> = Result<Step<T>, ReplyError>;

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

    /// Whether there is a single reply.
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
pub(crate) fn done(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<()> {
    match replies.one() {
        Value::Okay => Ok(Step::Done(())),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads 1 or 0 as a flag.
pub(crate) fn flag(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<bool> {
    match replies.one() {
        Value::Int(number) => Ok(Step::Done(number != 0)),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads a count.
pub(crate) fn count(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<u64> {
    match replies.one() {
        Value::Int(number) => u64::try_from(number).map(Step::Done).map_err(|_| ReplyError::unexpected()),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads the reply to PTTL.
pub(crate) fn time_left(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<TimeLeft> {
    match replies.one() {
        Value::Int(ms) => Ok(Step::Done(TimeLeft::from_pttl(ms))),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads the remaining TTL of a key, and the first bytes of its value: a value can expire before its key.
pub(crate) fn time_left_of_value(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<TimeLeft> {
    let mut replies = replies.all();
    match (replies.next(), replies.next()) {
        (Some(Value::Int(ms)), Some(Value::BulkString(head))) => {
            let left = TimeLeft::from_pttl(ms);
            Ok(Step::Done(StaleTimes::of(&head).map_or(left, |times| times.left(left))))
        }
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads a size; a negative number is the size that would have been too large.
pub(crate) fn size(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<u64> {
    match replies.one() {
        Value::Int(size) if size < 0 => Err(ReplyError::new(Cause::CollectionSize { len: size.unsigned_abs() })),
        Value::Int(size) => Ok(Step::Done(size.unsigned_abs())),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads whether an element was new; a negative number is the size that would have been too large.
pub(crate) fn added(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<bool> {
    match size(replies, sent)? {
        Step::Done(count) => Ok(Step::Done(count != 0)),
        Step::Then(_) => Err(ReplyError::unexpected()),
    }
}

/// Reads an element or none.
pub(crate) fn element<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Option<V::Output>> {
    value::read_at::<V>(replies.one(), Place::new(sent)).map(Step::Done)
}

/// Reads the elements of a list or a set.
pub(crate) fn elements<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<V::Output>> {
    decoded::<V>(list(replies.one())?, sent)
}

/// Decodes elements.
pub(crate) fn decoded<V: Stored>(elements: Vec<Value>, sent: &ReplyContext<'_>) -> DecodeResult<Vec<V::Output>> {
    let decoded = elements.into_iter().map(|item| value::read_one_at::<V>(item, Place::new(sent)));
    decoded.collect::<Result<_, _>>().map(Step::Done)
}

/// Reads 1 or 0 for each requested element.
pub(crate) fn flags(replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<Vec<bool>> {
    let flag = |value| match value {
        Value::Int(number) => Ok(number != 0),
        Value::Boolean(flag) => Ok(flag),
        _ => Err(ReplyError::unexpected()),
    };
    all_asked(replies.one(), sent, 0)?.into_iter().map(flag).collect::<Result<_, _>>().map(Step::Done)
}

/// Returns the values of a list, which must have a value for each requested element.
pub(crate) fn all_asked(reply: Value, sent: &ReplyContext<'_>, command: usize) -> Result<Vec<Value>, ReplyError> {
    let values = list(reply)?;
    if asked(sent, command).is_some_and(|asked| asked != values.len()) {
        return Err(ReplyError::unexpected());
    }
    Ok(values)
}

/// Returns the number of elements that the command's last arguments request, with or without a script.
fn asked(sent: &ReplyContext<'_>, command: usize) -> Option<usize> {
    let mut words = sent.command(command)?.words();
    let by_script = matches!(words.next()?, b"EVALSHA" | b"EVAL");
    // The other words: the script, the number of keys, the key, the expiry and the command; or only the key.
    words.count().checked_sub(if by_script { 5 } else { 1 })
}

/// Returns the values of a list or a set. A missing key has none.
pub(crate) fn list(reply: Value) -> Result<Vec<Value>, ReplyError> {
    match reply {
        Value::Array(values) | Value::Set(values) => Ok(values),
        Value::Nil => Ok(Vec::new()),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Returns the pairs in a list or a map: flat, as lists of two, or as a map.
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
pub(crate) fn place(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Option<u64>> {
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
        Value::BulkString(text) => parsed(text),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads a number from text.
pub(crate) fn parsed<T: FromStr>(text: &[u8]) -> Result<T, ReplyError> {
    let number = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
    number.ok_or_else(ReplyError::unexpected)
}

/// Reads a score or none.
pub(crate) fn score_or_none(reply: &Value) -> Result<Option<f64>, ReplyError> {
    if *reply == Value::Nil { Ok(None) } else { score(reply).map(Some) }
}

/// Reads the reply that is a score or none.
pub(crate) fn optional_score(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Option<f64>> {
    score_or_none(&replies.one()).map(Step::Done)
}

/// Reads a 64-bit number, which can come as text, as cursors do.
pub(crate) fn number(reply: &Value) -> Result<u64, ReplyError> {
    match reply {
        Value::BulkString(text) => parsed(text),
        Value::Int(number) => u64::try_from(*number).map_err(|_| ReplyError::unexpected()),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads whether the single field's expiry has changed.
pub(crate) fn field_changed(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<bool> {
    number_of_field(&replies.one()).map(|number| Step::Done(number == 1))
}

/// Reads the remaining time of the single field.
pub(crate) fn field_time_left(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<TimeLeft> {
    number_of_field(&replies.one()).map(|ms| Step::Done(TimeLeft::from_pttl(ms)))
}

/// Reads the number for the single field. If the key does not exist, some servers return nothing.
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
