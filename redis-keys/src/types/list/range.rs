//! LRANGE.

use std::ops::Range;

use crate::{
    Command, Error, ListKey, Scan,
    command::{
        Fault, Replies, Sent, Step,
        builder::{positions, read},
        replies, value,
    },
    scan,
    scan::Page,
    stored::Stored,
    types::list::Output,
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

/// The first and the last position that stay.
pub(crate) fn push_kept(cmd: &mut redis::Cmd, range: &Range<u32>) {
    // Redis's ranges hold their last position, so that an empty one has it before the first; and -1 would be the very last.
    let (first, last) = if range.is_empty() { (1, 0) } else { (range.start, range.end - 1) };
    cmd.arg(first).arg(last);
}

pub(crate) fn pages<K: ListKey>(key: &K, len: u32) -> Scan<Output<K>> {
    scan::by_positions(key, len, page::<K::Value>)
}

fn page<V: Stored>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Page<V::Output>>, Fault> {
    scan::items(replies, sent, value::read_one::<V>)
}
