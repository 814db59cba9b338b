//! HSET, HSETNX and HDEL.

use std::borrow::Borrow;

use redis::Cmd;

use super::name;
use crate::{
    Command, HashKey,
    command::{
        count, flag,
        old_builder::{each, expected, native, native_many, push_max_len, write, write_many},
        replies, value,
    },
    lua,
    lua::Script,
    types::hash::{FieldInput, Input},
};

/// HSET or HSETNX of one field.
pub(crate) fn one<K: HashKey>(
    key: &K,
    script: &'static Script,
    field: &FieldInput<K>,
    value: &Input<K>,
) -> Command<bool> {
    let schema = K::SCHEMA;
    let room = name::room::<K>(field) + value::room::<K::Value>(value, schema);
    let push = |cmd: &mut Cmd| {
        push_max_len(cmd, schema);
        name::push::<K>(cmd, field)?;
        value::push::<K::Value>(cmd, value, schema)
    };
    write(key, script, (3, 16 + room), push, replies::added)
}

pub(crate) fn many<K, I, F, V>(key: &K, fields: I) -> Command<u64>
where
    K: HashKey,
    I: IntoIterator<Item = (F, V)>,
    F: Borrow<FieldInput<K>>,
    V: Borrow<Input<K>>,
{
    let schema = K::SCHEMA;
    let fields = fields.into_iter();
    let room = 1 + 2 * expected(&fields);
    let push = |cmd: &mut Cmd| {
        push_max_len(cmd, schema);
        each(fields, |(field, value)| {
            name::push::<K>(cmd, field.borrow())?;
            value::push::<K::Value>(cmd, value.borrow(), schema)
        })
    };
    write_many(key, &lua::HSET, (room, 16 * room), push, replies::size)
}

pub(crate) fn remove<K: HashKey>(key: &K, field: &FieldInput<K>) -> Command<bool> {
    native(key, "HDEL", (1, name::room::<K>(field)), |cmd| name::push::<K>(cmd, field), flag)
}

pub(crate) fn remove_many<K, I>(key: &K, fields: I) -> Command<u64>
where
    K: HashKey,
    I: IntoIterator,
    I::Item: Borrow<FieldInput<K>>,
{
    let fields = fields.into_iter();
    let room = expected(&fields);
    let push = |cmd: &mut Cmd| each(fields, |field| name::push::<K>(cmd, field.borrow()));
    native_many(key, "HDEL", (room, 16 * room), push, count)
}
