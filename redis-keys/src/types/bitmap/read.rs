//! GETBIT, BITCOUNT and BITPOS.

use std::ops::Range;

use redis::{Cmd, RedisWrite as _, Value};

use super::digit;
use crate::{
    BitmapKey, Command,
    command::{Fault, Replies, Sent, Step, count, flag, old_builder::read},
};

pub(crate) fn getbit<K: BitmapKey>(key: &K, offset: u32) -> Command<bool> {
    let push = |cmd: &mut Cmd| {
        cmd.arg(offset);
        Ok(())
    };
    read(key, "GETBIT", (1, 10), push, flag)
}

pub(crate) fn bitcount<K: BitmapKey>(key: &K, bytes: Option<&Range<u32>>) -> Command<u64> {
    if bytes.is_some_and(Range::is_empty) {
        return Command::ready(0);
    }
    let push = |cmd: &mut Cmd| {
        push_range(cmd, bytes);
        Ok(())
    };
    read(key, "BITCOUNT", (2, 20), push, count)
}

pub(crate) fn bitpos<K: BitmapKey>(key: &K, bit: bool, bytes: Option<&Range<u32>>) -> Command<Option<u32>> {
    if bytes.is_some_and(Range::is_empty) {
        return Command::ready(None);
    }
    let push = |cmd: &mut Cmd| {
        cmd.write_arg(digit(bit));
        push_range(cmd, bytes);
        Ok(())
    };
    read(key, "BITPOS", (3, 21), push, position)
}

/// Redis's ranges hold their last byte.
fn push_range(cmd: &mut Cmd, bytes: Option<&Range<u32>>) {
    if let Some(Range { start, end }) = bytes {
        cmd.arg(*start).arg(end.saturating_sub(1));
    }
}

/// A position, or -1 where there is none.
fn position(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<u32>>, Fault> {
    match replies.one() {
        Value::Int(-1) => Ok(Step::Done(None)),
        Value::Int(position) => u32::try_from(position).map(|at| Step::Done(Some(at))).map_err(|_| Fault::unexpected()),
        _ => Err(Fault::unexpected()),
    }
}
