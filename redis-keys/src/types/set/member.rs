//! SISMEMBER and SMISMEMBER.

use std::borrow::Borrow;

use redis::Cmd;

use crate::{
    Command, SetKey,
    command::{
        builder::{expected, push_all, read, read_many},
        flag, replies, value,
    },
    types::set::Input,
};

pub(crate) fn one<K: SetKey>(key: &K, member: &Input<K>) -> Command<bool> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| value::push::<K::Value>(cmd, member, schema);
    read(key, "SISMEMBER", (1, value::room::<K::Value>(member, schema)), push, flag)
}

pub(crate) fn many<K, I>(key: &K, members: I) -> Command<Vec<bool>>
where
    K: SetKey,
    I: IntoIterator,
    I::Item: Borrow<Input<K>>,
{
    let members = members.into_iter();
    let room = expected(&members);
    let push = |cmd: &mut Cmd| push_all::<K::Value, _>(cmd, members, K::SCHEMA);
    read_many(key, "SMISMEMBER", (room, 16 * room), push, replies::flags)
}
