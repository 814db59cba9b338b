//! The replies to `XPENDING` and `XINFO CONSUMERS`.

use std::time::Duration;

use redis::Value;

use super::EntryId;
use crate::command::reply::{list, number, pairs};
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step};

/// An entry that was delivered and not acknowledged: [`Group::pending`](super::Group::pending).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// The ID of the entry.
    pub id: EntryId,
    /// The consumer to which it was delivered last.
    pub consumer: String,
    /// The time since that delivery.
    pub idle: Duration,
    /// The number of deliveries.
    pub deliveries: u64,
}

/// A summary of the pending entries of a group: [`Group::pending_summary`](super::Group::pending_summary).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PendingSummary {
    /// The number of pending entries.
    pub count: u64,
    /// The lowest and the highest pending ID, `None` if there are none.
    pub ids: Option<(EntryId, EntryId)>,
    /// The consumers with pending entries, and the number for each.
    pub consumers: Vec<(String, u64)>,
}

/// A consumer of a group: [`Group::consumers`](super::Group::consumers).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Consumer {
    /// The name.
    pub name: String,
    /// The number of its pending entries.
    pub pending: u64,
    /// The time since the consumer last read or claimed, or tried to.
    pub idle: Duration,
}

pub(super) fn pending_entries(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Vec<Pending>> {
    list(replies.one())?.into_iter().map(pending_entry).collect::<Result<_, _>>().map(Step::Done)
}

fn pending_entry(reply: Value) -> Result<Pending, ReplyError> {
    let [id, consumer, idle, deliveries] = list(reply)?.try_into().map_err(|_| ReplyError::unexpected())?;
    Ok(Pending {
        id: EntryId::read(&id)?,
        consumer: name(consumer)?,
        idle: Duration::from_millis(number(&idle)?),
        deliveries: number(&deliveries)?,
    })
}

pub(super) fn summary(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<PendingSummary> {
    let [count, lowest, highest, consumers] = list(replies.one())?.try_into().map_err(|_| ReplyError::unexpected())?;
    let count = number(&count)?;
    let ids = match count {
        0 => None,
        _ => Some((EntryId::read(&lowest)?, EntryId::read(&highest)?)),
    };
    let consumers = pairs(consumers)?.into_iter().map(|(consumer, count)| Ok((name(consumer)?, number(&count)?)));
    Ok(Step::Done(PendingSummary { count, ids, consumers: consumers.collect::<Result<_, ReplyError>>()? }))
}

pub(super) fn consumers(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Vec<Consumer>> {
    list(replies.one())?.into_iter().map(consumer).collect::<Result<_, _>>().map(Step::Done)
}

/// Reads a consumer. Each version of the server adds fields.
fn consumer(reply: Value) -> Result<Consumer, ReplyError> {
    let (mut consumer_name, mut pending, mut idle) = (None, None, None);
    for (field, value) in pairs(reply)? {
        match name(field)?.as_str() {
            "name" => consumer_name = Some(name(value)?),
            "pending" => pending = Some(number(&value)?),
            "idle" => idle = Some(number(&value)?),
            _ => {}
        }
    }
    match (consumer_name, pending, idle) {
        (Some(name), Some(pending), Some(idle)) => Ok(Consumer { name, pending, idle: Duration::from_millis(idle) }),
        _ => Err(ReplyError::unexpected()),
    }
}

/// Reads a name. Other programs can choose any bytes.
fn name(reply: Value) -> Result<String, ReplyError> {
    match reply {
        Value::BulkString(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Ok(text),
        _ => Err(ReplyError::unexpected()),
    }
}
