//! LPUSH and RPUSH.

use std::borrow::Borrow;

use redis::{Cmd, RedisWrite as _, Value};

use super::ListEnd;
use crate::{
    Command, ListKey,
    command::{
        Decode, Fault, Replies, Sent, Step,
        builder::{expected, push_all, push_max_len, write, write_many},
        replies, value,
    },
    lua,
    lua::Script,
    schema::{Keep, Schema},
    types::list::Input,
};

pub(crate) fn one<K: ListKey>(key: &K, end: ListEnd, item: &Input<K>) -> Command<u64> {
    let schema = K::SCHEMA;
    let (script, decode) = way(schema, end);
    let push = |cmd: &mut Cmd| {
        push_cap(cmd, schema, end);
        value::push::<K::Value>(cmd, item, schema)
    };
    write(key, script, (2, 24 + value::room::<K::Value>(item, schema)), push, decode)
}

pub(crate) fn many<K, I>(key: &K, end: ListEnd, items: I) -> Command<u64>
where
    K: ListKey,
    I: IntoIterator,
    I::Item: Borrow<Input<K>>,
{
    let schema = K::SCHEMA;
    let items = items.into_iter();
    let (script, decode) = way(schema, end);
    let room = 1 + expected(&items);
    let push = |cmd: &mut Cmd| {
        push_cap(cmd, schema, end);
        push_all::<K::Value, _>(cmd, items, schema)
    };
    write_many(key, script, (room, 16 * room), push, decode)
}

/// The script that refuses what is too much, or the one that drops what is too old.
fn way(schema: &Schema, end: ListEnd) -> (&'static Script, Decode<u64>) {
    match (schema.keep, end) {
        (Some(_), ListEnd::Left) => (&lua::LPUSH_KEEPING, kept),
        (Some(_), ListEnd::Right) => (&lua::RPUSH_KEEPING, kept),
        (None, ListEnd::Left) => (&lua::LPUSH_CAPPED, replies::size),
        (None, ListEnd::Right) => (&lua::RPUSH_CAPPED, replies::size),
    }
}

/// What the script takes about the cap: the most items, or the position of the oldest one that stays.
fn push_cap(cmd: &mut Cmd, schema: &Schema, end: ListEnd) {
    match schema.keep {
        Some(keep) => push_oldest(cmd, keep, end),
        None => push_max_len(cmd, schema),
    }
}

/// The first and the last position of what stays after a push at that end.
pub(super) fn push_kept(cmd: &mut Cmd, keep: Keep, end: ListEnd) {
    if end == ListEnd::Left {
        cmd.write_arg(b"0");
    }
    push_oldest(cmd, keep, end);
    if end == ListEnd::Right {
        cmd.write_arg(b"-1");
    }
}

/// Items come in at one end, and the oldest one that stays is so far from there.
fn push_oldest(cmd: &mut Cmd, keep: Keep, end: ListEnd) {
    match end {
        ListEnd::Left => _ = cmd.arg(keep.count().saturating_sub(1)),
        ListEnd::Right => cmd.write_arg_fmt(format_args!("-{}", keep.count())),
    }
}

/// The length before the oldest items have gone.
fn kept(replies: Replies, sent: &Sent<'_>) -> Result<Step<u64>, Fault> {
    let Value::Int(len) = replies.one() else {
        return Err(Fault::unexpected());
    };
    let len = u64::try_from(len).map_err(|_| Fault::unexpected())?;
    Ok(Step::Done(match sent.schema.keep {
        Some(Keep::Last(keep)) => len.min(keep),
        _ => len,
    }))
}
