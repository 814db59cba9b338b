//! XREADGROUP and XAUTOCLAIM.

use std::time::Duration;

use redis::{Cmd, RedisWrite as _};

use super::{
    Entry, EntryId, Group,
    entry::{Found, awaited, entries_of_stream, found, found_of_stream},
    range::push_count,
    refusal, refused, streams,
    streams::Streams,
};
use crate::{
    Command, RedisHash, StreamKey,
    command::blocking::Blocking,
    command::{
        Fault, Replies, Sent, Step,
        builder::{Amount, read_many},
        replies::list,
    },
};

/// Entries that had been delivered before: [`Group::read_pending`], [`Group::claim`].
#[derive(Clone, Debug)]
pub struct Redelivered<T> {
    /// Those that are still there.
    pub entries: Vec<Entry<T>>,
    /// Those that have been deleted or trimmed meanwhile, so that nobody can have them any more.
    ///
    /// From `read_pending` they are still pending, and want to be acknowledged. `claim` has removed them from the group; on
    /// Redis 6.2 it does not tell of them, and a `read_pending` does.
    pub deleted: Vec<EntryId>,
    /// Where the next call goes on; `None` when there is no more.
    pub next: Option<EntryId>,
}

impl<T> Redelivered<T> {
    /// The ids of all, those that are still there and those that are not.
    pub fn ids(&self) -> impl Iterator<Item = EntryId> {
        self.entries.iter().map(|entry| entry.id).chain(self.deleted.iter().copied())
    }
}

/// Nothing, and no more.
impl<T> Default for Redelivered<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), deleted: Vec::new(), next: None }
    }
}

pub(super) fn read<K: StreamKey>(group: Group<'_, K>, consumer: &str, count: u32) -> Command<Vec<Entry<K::Value>>> {
    match group.member(consumer) {
        Ok(member) => {
            let call = Streams { group: Some(member), count, last: None };
            streams::read(group.key, call, entries_of_stream::<K::Value>)
        }
        Err(cause) => refused(group.key, cause),
    }
}

pub(super) fn read_block<K: StreamKey>(
    group: Group<'_, K>,
    consumer: &str,
    count: u32,
    wait: Duration,
) -> Blocking<Vec<Entry<K::Value>>> {
    match group.member(consumer) {
        Ok(member) => {
            let call = Streams { group: Some(member), count, last: None };
            streams::block(group.key, call, wait, awaited::<K::Value>)
        }
        Err(cause) => Blocking::read(K::SCHEMA, wait, Err(refusal(group.key, cause))),
    }
}

pub(super) fn read_pending<K: StreamKey>(
    group: Group<'_, K>,
    consumer: &str,
    from: EntryId,
    count: u32,
) -> Command<Redelivered<K::Value>> {
    match group.member(consumer) {
        Ok(member) => {
            // Redis begins behind the id.
            let last = Some(from.previous().unwrap_or(EntryId::MIN));
            let call = Streams { group: Some(member), count, last };
            streams::read(group.key, call, redelivered::<K::Value>)
        }
        Err(cause) => refused(group.key, cause),
    }
}

fn redelivered<R: RedisHash>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Redelivered<R>>, Fault> {
    let Found { entries, deleted } = found_of_stream(replies, sent)?;
    let last = entries.last().map(|entry| entry.id).max(deleted.last().copied());
    Ok(Step::Done(Redelivered { entries, deleted, next: last.and_then(EntryId::next) }))
}

pub(super) fn claim<K: StreamKey>(
    group: Group<'_, K>,
    consumer: &str,
    idle: Duration,
    from: EntryId,
    count: u32,
) -> Command<Redelivered<K::Value>> {
    let push = |cmd: &mut Cmd| {
        let member = group.member(consumer)?;
        cmd.write_arg(member.group.as_bytes());
        cmd.write_arg(member.consumer.as_bytes());
        cmd.arg(i64::try_from(idle.as_millis()).unwrap_or(i64::MAX));
        from.push(cmd);
        push_count(cmd, count)?;
        Ok(if count == 0 { Amount::Nothing } else { Amount::Some })
    };
    let room = 96 + group.name.len() + consumer.len();
    read_many(group.key, "XAUTOCLAIM", (6, room), push, claimed::<K::Value>)
}

/// Where the next call goes on, the entries, and from Redis 7.0 on the ids of those that are gone.
fn claimed<R: RedisHash>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Redelivered<R>>, Fault> {
    let mut parts = list(replies.one())?.into_iter();
    let (Some(next), Some(entries)) = (parts.next(), parts.next()) else {
        return Err(Fault::unexpected());
    };
    let next = Some(EntryId::read(&next)?).filter(|next| *next != EntryId::MIN);
    let Found { entries, mut deleted } = found(entries, sent)?;
    for id in parts.next().map(list).transpose()?.unwrap_or_default() {
        deleted.push(EntryId::read(&id)?);
    }
    Ok(Step::Done(Redelivered { entries, deleted, next }))
}
