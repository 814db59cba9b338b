//! PFADD.

use std::borrow::Borrow;

use redis::Cmd;

use crate::{
    Command, HyperLogLogKey,
    command::{
        flag,
        old_builder::{expected, push_all, write_native, write_native_many},
        value,
    },
    types::hyperloglog::Input,
};

pub(crate) fn one<K: HyperLogLogKey>(key: &K, member: &Input<K>) -> Command<bool> {
    let push = |cmd: &mut Cmd| value::push::<K::Value>(cmd, member, K::SCHEMA);
    write_native(key, "PFADD", (1, value::room::<K::Value>(member, K::SCHEMA)), push, flag)
}

pub(crate) fn many<K, I>(key: &K, members: I) -> Command<bool>
where
    K: HyperLogLogKey,
    I: IntoIterator,
    I::Item: Borrow<Input<K>>,
{
    let members = members.into_iter();
    let room = expected(&members);
    let push = |cmd: &mut Cmd| push_all::<K::Value, _>(cmd, members, K::SCHEMA);
    write_native_many(key, "PFADD", (room, 16 * room), push, flag)
}
