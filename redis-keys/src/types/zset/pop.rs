//! ZPOPMIN and ZPOPMAX.

use redis::Cmd;

use super::range::{Scored, scored};
use crate::{
    Command, ZSetKey,
    command::{
        Fault, Replies, Sent, Step,
        old_builder::{native, native_many, push_count},
    },
    stored::Stored,
    types::zset::Output,
};

pub(crate) fn one<K: ZSetKey>(key: &K, name: &str) -> Command<Option<(Output<K>, f64)>> {
    native(key, name, (0, 0), |_| Ok(()), first::<K::Value>)
}

pub(crate) fn many<K: ZSetKey>(key: &K, name: &str, count: u32) -> Command<Vec<(Output<K>, f64)>> {
    let push = |cmd: &mut Cmd| push_count(cmd, count);
    native_many(key, name, (1, 10), push, scored::<K::Value>)
}

fn first<V: Stored>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Option<Scored<V>>>, Fault> {
    match scored::<V>(replies, sent)? {
        Step::Done(found) => Ok(Step::Done(found.into_iter().next())),
        Step::Then(_) => Err(Fault::unexpected()),
    }
}
