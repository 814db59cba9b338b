//! ZREM, also of places, and ZREMRANGEBYSCORE and ZREMRANGEBYRANK.

use std::{
    borrow::Borrow,
    ops::{Range, RangeBounds},
};

use redis::Cmd;

use super::range::push_scores;
use crate::{
    Command, RedisKey, ZSetKey,
    command::{
        count, flag,
        old_builder::{Amount, expected, native, native_many, push_all},
        value,
    },
    stored::Stored,
};

pub(crate) fn one<K: RedisKey, V: Stored>(key: &K, member: &V::Input) -> Command<bool> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| value::push::<V>(cmd, member, schema);
    native(key, "ZREM", (1, value::room::<V>(member, schema)), push, flag)
}

pub(crate) fn many<K, V, I>(key: &K, members: I) -> Command<u64>
where
    K: RedisKey,
    V: Stored,
    I: IntoIterator,
    I::Item: Borrow<V::Input>,
{
    let members = members.into_iter();
    let room = expected(&members);
    let push = |cmd: &mut Cmd| push_all::<V, _>(cmd, members, K::SCHEMA);
    native_many(key, "ZREM", (room, 16 * room), push, count)
}

pub(crate) fn by_score<K: ZSetKey>(key: &K, range: &impl RangeBounds<f64>) -> Command<u64> {
    let push = |cmd: &mut Cmd| push_scores(cmd, range);
    native_many(key, "ZREMRANGEBYSCORE", (2, 50), push, count)
}

pub(crate) fn by_rank<K: ZSetKey>(key: &K, ranks: &Range<u32>) -> Command<u64> {
    let push = |cmd: &mut Cmd| {
        if ranks.is_empty() {
            return Ok(Amount::Nothing);
        }
        cmd.arg(ranks.start).arg(ranks.end - 1);
        Ok(Amount::Some)
    };
    native_many(key, "ZREMRANGEBYRANK", (2, 20), push, count)
}
