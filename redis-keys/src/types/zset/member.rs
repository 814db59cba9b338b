//! ZSCORE, ZMSCORE, ZRANK and ZREVRANK.

use std::borrow::Borrow;

use redis::Cmd;

use crate::{
    Command, ZSetKey,
    command::{
        Decode, Fault, Replies, Sent, Step,
        old_builder::{expected, push_all, read, read_many},
        replies, value,
    },
    types::zset::Input,
};

pub(crate) fn zscore<K: ZSetKey>(key: &K, member: &Input<K>) -> Command<Option<f64>> {
    about(key, "ZSCORE", member, replies::optional_score)
}

pub(crate) fn zmscore<K, I>(key: &K, members: I) -> Command<Vec<Option<f64>>>
where
    K: ZSetKey,
    I: IntoIterator,
    I::Item: Borrow<Input<K>>,
{
    let members = members.into_iter();
    let room = expected(&members);
    let push = |cmd: &mut Cmd| push_all::<K::Value, _>(cmd, members, K::SCHEMA);
    read_many(key, "ZMSCORE", (room, 16 * room), push, optional_scores)
}

/// ZRANK or ZREVRANK.
pub(crate) fn rank<K: ZSetKey>(key: &K, name: &str, member: &Input<K>) -> Command<Option<u64>> {
    about(key, name, member, replies::place)
}

fn about<K: ZSetKey, T>(key: &K, name: &str, member: &Input<K>, decode: Decode<T>) -> Command<T> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| value::push::<K::Value>(cmd, member, schema);
    read(key, name, (1, value::room::<K::Value>(member, schema)), push, decode)
}

fn optional_scores(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<Option<f64>>>, Fault> {
    replies::all_asked(replies.one(), sent, 0)?
        .iter()
        .map(replies::score_or_none)
        .collect::<Result<_, _>>()
        .map(Step::Done)
}
