//! SRANDMEMBER and SPOP.

use redis::Cmd;

use crate::{
    Command, SetKey,
    command::{
        builder::{native, native_many, push_count, read, read_many},
        replies,
    },
    types::set::Output,
};

pub(crate) fn one<K: SetKey>(key: &K) -> Command<Option<Output<K>>> {
    read(key, "SRANDMEMBER", (0, 0), |_| Ok(()), replies::element::<K::Value>)
}

pub(crate) fn many<K: SetKey>(key: &K, count: u32) -> Command<Vec<Output<K>>> {
    let push = |cmd: &mut Cmd| push_count(cmd, count);
    read_many(key, "SRANDMEMBER", (1, 10), push, replies::elements::<K::Value>)
}

pub(crate) fn pop<K: SetKey>(key: &K) -> Command<Option<Output<K>>> {
    native(key, "SPOP", (0, 0), |_| Ok(()), replies::element::<K::Value>)
}

pub(crate) fn pop_many<K: SetKey>(key: &K, count: u32) -> Command<Vec<Output<K>>> {
    let push = |cmd: &mut Cmd| push_count(cmd, count);
    native_many(key, "SPOP", (1, 10), push, replies::elements::<K::Value>)
}
