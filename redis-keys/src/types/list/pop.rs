//! LPOP and RPOP.

use redis::Cmd;

use super::ListEnd;
use crate::{
    Command, ListKey,
    command::{
        builder::{native, native_many, push_count},
        replies,
    },
    types::list::Output,
};

pub(crate) fn one<K: ListKey>(key: &K, end: ListEnd) -> Command<Option<Output<K>>> {
    native(key, name(end), (0, 0), |_| Ok(()), replies::element::<K::Value>)
}

pub(crate) fn many<K: ListKey>(key: &K, end: ListEnd, count: u32) -> Command<Vec<Output<K>>> {
    let push = |cmd: &mut Cmd| push_count(cmd, count);
    native_many(key, name(end), (1, 10), push, replies::elements::<K::Value>)
}

fn name(end: ListEnd) -> &'static str {
    match end {
        ListEnd::Left => "LPOP",
        ListEnd::Right => "RPOP",
    }
}
