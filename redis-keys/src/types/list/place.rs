//! LSET, LREM and LPOS.

use redis::Cmd;

use crate::{
    Command, ListKey,
    command::{
        builder::{native, read, write},
        count, flag, replies, value,
    },
    lua,
    types::list::Input,
};

pub(crate) fn lset<K: ListKey>(key: &K, position: i64, item: &Input<K>) -> Command<bool> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| {
        cmd.arg(position);
        value::push::<K::Value>(cmd, item, schema)
    };
    write(key, &lua::LSET, (2, 20 + value::room::<K::Value>(item, schema)), push, flag)
}

pub(crate) fn lrem<K: ListKey>(key: &K, most: i32, item: &Input<K>) -> Command<u64> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| {
        cmd.arg(most);
        value::push::<K::Value>(cmd, item, schema)
    };
    native(key, "LREM", (2, 12 + value::room::<K::Value>(item, schema)), push, count)
}

pub(crate) fn lpos<K: ListKey>(key: &K, item: &Input<K>) -> Command<Option<u64>> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| value::push::<K::Value>(cmd, item, schema);
    read(key, "LPOS", (1, value::room::<K::Value>(item, schema)), push, replies::place)
}
