//! ZRANDMEMBER.

use redis::Cmd;

use super::range::{Shape, push_shape};
use crate::{
    Command, ZSetKey,
    command::{
        old_builder::{push_count, read, read_many},
        replies,
    },
    types::zset::Output,
};

pub(crate) fn one<K: ZSetKey>(key: &K) -> Command<Option<Output<K>>> {
    read(key, "ZRANDMEMBER", (0, 0), |_| Ok(()), replies::element::<K::Value>)
}

pub(crate) fn many<K: ZSetKey, T>(key: &K, count: u32, shape: &Shape<T>) -> Command<Vec<T>> {
    let push = |cmd: &mut Cmd| {
        let amount = push_count(cmd, count)?;
        push_shape(cmd, shape);
        Ok(amount)
    };
    read_many(key, "ZRANDMEMBER", (2, 20), push, shape.decode)
}
