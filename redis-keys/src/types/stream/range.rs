//! XRANGE, XREVRANGE and XREAD.

use std::{
    ops::{Bound, RangeBounds},
    time::Duration,
};

use redis::{Cmd, RedisWrite as _};

use super::{
    Entry, EntryId,
    entry::{awaited, entries, entries_of_stream, found},
    streams,
    streams::Streams,
};
use crate::{
    Command, RedisHash, Scan, StreamKey,
    command::blocking::Blocking,
    command::{
        Fault, Replies, Sent, Step,
        builder::{Amount, checked_count, read_many},
    },
    error::Cause,
    scan,
    scan::Page,
};

pub(crate) fn xrange<K: StreamKey>(
    key: &K,
    ids: &impl RangeBounds<EntryId>,
    count: u32,
) -> Command<Vec<Entry<K::Value>>> {
    let push = |cmd: &mut Cmd| {
        let Some((first, last)) = ends(ids).filter(|_| count > 0) else { return Ok(Amount::Nothing) };
        first.push(cmd);
        last.push(cmd);
        push_count(cmd, count)
    };
    read_many(key, "XRANGE", (4, 96), push, entries::<K::Value>)
}

pub(crate) fn xrevrange<K: StreamKey>(
    key: &K,
    ids: &impl RangeBounds<EntryId>,
    count: u32,
) -> Command<Vec<Entry<K::Value>>> {
    let push = |cmd: &mut Cmd| {
        let Some((first, last)) = ends(ids).filter(|_| count > 0) else { return Ok(Amount::Nothing) };
        last.push(cmd);
        first.push(cmd);
        push_count(cmd, count)
    };
    read_many(key, "XREVRANGE", (4, 96), push, entries::<K::Value>)
}

/// An end of a range, as Redis writes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The lowest id that there is.
    Lowest,
    Id(EntryId),
    /// The highest id that there is.
    Highest,
}

impl End {
    pub(super) fn push(self, cmd: &mut Cmd) {
        match self {
            Self::Lowest => cmd.write_arg(b"-"),
            Self::Id(id) => id.push(cmd),
            Self::Highest => cmd.write_arg(b"+"),
        }
    }
}

/// The first and the last id of a range; `None` where it holds none.
pub(super) fn ends(ids: &impl RangeBounds<EntryId>) -> Option<(End, End)> {
    let first = match ids.start_bound() {
        Bound::Unbounded => None,
        Bound::Included(id) => Some(*id),
        Bound::Excluded(id) => Some(id.next()?),
    };
    let last = match ids.end_bound() {
        Bound::Unbounded => None,
        Bound::Included(id) => Some(*id),
        Bound::Excluded(id) => Some(id.previous()?),
    };
    if first > Some(last.unwrap_or(EntryId::MAX)) {
        return None;
    }
    Some((first.map_or(End::Lowest, End::Id), last.map_or(End::Highest, End::Id)))
}

pub(super) fn push_count(cmd: &mut Cmd, count: u32) -> Result<Amount, Cause> {
    cmd.write_arg(b"COUNT");
    cmd.arg(checked_count(count)?);
    Ok(Amount::Some)
}

pub(crate) fn xread<K: StreamKey>(key: &K, after: EntryId, count: u32) -> Command<Vec<Entry<K::Value>>> {
    let call = Streams { group: None, count, last: Some(after) };
    streams::read(key, call, entries_of_stream::<K::Value>)
}

pub(crate) fn xread_block<K: StreamKey>(
    key: &K,
    after: EntryId,
    count: u32,
    wait: Duration,
) -> Blocking<Vec<Entry<K::Value>>> {
    let call = Streams { group: None, count, last: Some(after) };
    streams::block(key, call, wait, awaited::<K::Value>)
}

pub(crate) fn pages<K: StreamKey>(key: &K, len: u32) -> Scan<Entry<K::Value>> {
    scan::by_ids(key, len, page::<K::Value>)
}

fn page<R: RedisHash>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Page<Entry<R>>>, Fault> {
    let entries = found(replies.one(), sent)?.entries;
    let next = entries.last().and_then(|last| last.id.next());
    Ok(Step::Done(Page::of(entries, next.map_or(0, EntryId::to_bits))))
}
