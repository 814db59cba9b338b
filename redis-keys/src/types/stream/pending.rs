//! XPENDING and XINFO CONSUMERS.

use std::{ops::RangeBounds, time::Duration};

use redis::{Cmd, RedisWrite as _, Value};

use super::{EntryId, Group, name::check_group, range::ends};
use crate::{
    Command, StreamKey,
    command::{
        Fault, Replies, Sent, Step,
        old_builder::{Amount, checked_count, native, native_many},
        replies::{list, pairs},
    },
};

/// An entry that was delivered and not acknowledged: [`Group::pending`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pending {
    /// Its id.
    pub id: EntryId,
    /// The consumer that has it.
    pub consumer: String,
    /// How long ago it was delivered to it.
    pub idle: Duration,
    /// How many times it has been delivered.
    pub deliveries: u64,
}

/// What is pending in a group: [`Group::pending_summary`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PendingSummary {
    /// How many entries are pending.
    pub count: u64,
    /// The lowest and the highest of their ids; `None` where there is none.
    pub ids: Option<(EntryId, EntryId)>,
    /// The consumers that have some, and how many.
    pub consumers: Vec<(String, u64)>,
}

/// A consumer of a group: [`Group::consumers`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Consumer {
    /// Its name.
    pub name: String,
    /// How many entries are pending for it.
    pub pending: u64,
    /// How long ago it last asked for entries, or claimed some.
    pub idle: Duration,
}

pub(super) fn pending<K: StreamKey>(
    group: Group<'_, K>,
    ids: &impl RangeBounds<EntryId>,
    count: u32,
) -> Command<Vec<Pending>> {
    let push = |cmd: &mut Cmd| {
        check_group(group.name)?;
        let Some((first, last)) = ends(ids).filter(|_| count > 0) else { return Ok(Amount::Nothing) };
        cmd.write_arg(group.name.as_bytes());
        first.push(cmd);
        last.push(cmd);
        cmd.arg(checked_count(count)?);
        Ok(Amount::Some)
    };
    native_many(group.key, "XPENDING", (4, 96 + group.name.len()), push, each_pending)
}

pub(super) fn summary<K: StreamKey>(group: Group<'_, K>) -> Command<PendingSummary> {
    let push = |cmd: &mut Cmd| {
        check_group(group.name)?;
        cmd.write_arg(group.name.as_bytes());
        Ok(())
    };
    native(group.key, "XPENDING", (1, group.name.len()), push, read_summary)
}

fn each_pending(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Vec<Pending>>, Fault> {
    let one = |reply| {
        let [id, consumer, idle, deliveries] = list(reply)?.try_into().map_err(|_| Fault::unexpected())?;
        Ok(Pending {
            id: EntryId::read(&id)?,
            consumer: name(consumer)?,
            idle: Duration::from_millis(number(&idle)?),
            deliveries: number(&deliveries)?,
        })
    };
    list(replies.one())?.into_iter().map(one).collect::<Result<_, _>>().map(Step::Done)
}

fn read_summary(replies: Replies, _sent: &Sent<'_>) -> Result<Step<PendingSummary>, Fault> {
    let [count, first, last, consumers] = list(replies.one())?.try_into().map_err(|_| Fault::unexpected())?;
    let count = number(&count)?;
    let ids = match count {
        0 => None,
        _ => Some((EntryId::read(&first)?, EntryId::read(&last)?)),
    };
    let consumers = pairs(consumers)?.into_iter().map(|(consumer, count)| Ok((name(consumer)?, number(&count)?)));
    Ok(Step::Done(PendingSummary { count, ids, consumers: consumers.collect::<Result<_, Fault>>()? }))
}

pub(super) fn consumers(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Vec<Consumer>>, Fault> {
    list(replies.one())?.into_iter().map(consumer).collect::<Result<_, _>>().map(Step::Done)
}

/// Each server knows more of a consumer than the one before.
fn consumer(reply: Value) -> Result<Consumer, Fault> {
    let (mut found, mut pending, mut idle) = (None, None, None);
    for (word, value) in pairs(reply)? {
        match name(word)?.as_str() {
            "name" => found = Some(name(value)?),
            "pending" => pending = Some(number(&value)?),
            "idle" => idle = Some(number(&value)?),
            _ => {}
        }
    }
    match (found, pending, idle) {
        (Some(name), Some(pending), Some(idle)) => Ok(Consumer { name, pending, idle: Duration::from_millis(idle) }),
        _ => Err(Fault::unexpected()),
    }
}

/// A name, which other programs may have chosen in any bytes.
fn name(reply: Value) -> Result<String, Fault> {
    match reply {
        Value::BulkString(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Ok(text),
        _ => Err(Fault::unexpected()),
    }
}

/// A number, which XPENDING writes as text for a consumer.
fn number(reply: &Value) -> Result<u64, Fault> {
    let number = match reply {
        Value::Int(number) => u64::try_from(*number).ok(),
        Value::BulkString(text) => std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()),
        _ => None,
    };
    number.ok_or_else(Fault::unexpected)
}
