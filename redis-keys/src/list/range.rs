//! LRANGE.

use std::ops::Range;

use crate::{
    Command, Error, ListKey,
    access::{positions, read},
    list_key::Output,
    replies,
};

pub(crate) fn lrange<K: ListKey>(key: &K, range: &Range<u32>) -> Command<Vec<Output<K>>> {
    let (first, last) = match positions(range) {
        Ok(Some(positions)) => positions,
        Ok(None) => return Command::ready(Vec::new()),
        Err(cause) => return Command::refused(Error::refused(K::SCHEMA, None, cause)),
    };
    let push = |cmd: &mut redis::Cmd| {
        cmd.arg(first).arg(last);
        Ok(())
    };
    read(key, "LRANGE", (2, 20), push, replies::elements::<K::Value>)
}
