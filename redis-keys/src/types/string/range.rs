//! GETRANGE.

use std::ops::Range;

use redis::Cmd;
use redis_keys_core::limits::MAX_MAX_BYTES;

use crate::{
    Command, StringKey,
    command::{
        Fault, Replies, Sent, Step,
        builder::{Amount, read_many},
        value,
    },
    error::Cause,
};

pub(crate) fn getrange<K: StringKey>(key: &K, positions: &Range<u32>) -> Command<Vec<u8>> {
    let push = |cmd: &mut Cmd| match positions.end.saturating_sub(positions.start) {
        // Redis's ranges hold their last position, and -1 would be the very last.
        0 => Ok(Amount::Nothing),
        len if u64::from(len) > MAX_MAX_BYTES => Err(Cause::Argument("the range exceeds 1MB")),
        _ => {
            cmd.arg(positions.start).arg(positions.end - 1);
            Ok(Amount::Some)
        }
    };
    read_many(key, "GETRANGE", (2, 20), push, bytes)
}

fn bytes(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Vec<u8>>, Fault> {
    value::read_one::<Vec<u8>>(replies.one()).map(Step::Done)
}
