//! SADD and SREM.

use std::borrow::Borrow;

use redis::Cmd;

use crate::{
    Command, SetKey,
    command::{
        builder::{expected, native, native_many, push_all, push_max_len, write, write_many},
        count, flag, replies, value,
    },
    lua,
    types::set::Input,
};

pub(crate) fn one<K: SetKey>(key: &K, member: &Input<K>) -> Command<bool> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| {
        push_max_len(cmd, schema);
        value::push::<K::Value>(cmd, member, schema)
    };
    write(key, &lua::SADD, (2, 8 + value::room::<K::Value>(member, schema)), push, replies::added)
}

pub(crate) fn many<K, I>(key: &K, members: I) -> Command<u64>
where
    K: SetKey,
    I: IntoIterator,
    I::Item: Borrow<Input<K>>,
{
    let schema = K::SCHEMA;
    let members = members.into_iter();
    let room = 1 + expected(&members);
    let push = |cmd: &mut Cmd| {
        push_max_len(cmd, schema);
        push_all::<K::Value, _>(cmd, members, schema)
    };
    write_many(key, &lua::SADD, (room, 16 * room), push, replies::size)
}

pub(crate) fn remove<K: SetKey>(key: &K, member: &Input<K>) -> Command<bool> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| value::push::<K::Value>(cmd, member, schema);
    native(key, "SREM", (1, value::room::<K::Value>(member, schema)), push, flag)
}

pub(crate) fn remove_many<K, I>(key: &K, members: I) -> Command<u64>
where
    K: SetKey,
    I: IntoIterator,
    I::Item: Borrow<Input<K>>,
{
    let members = members.into_iter();
    let room = expected(&members);
    let push = |cmd: &mut Cmd| push_all::<K::Value, _>(cmd, members, K::SCHEMA);
    native_many(key, "SREM", (room, 16 * room), push, count)
}
