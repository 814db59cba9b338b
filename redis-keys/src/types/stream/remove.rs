//! XDEL and XTRIM.

use std::borrow::Borrow;

use redis::{Cmd, RedisWrite as _};

use super::EntryId;
use crate::{
    Command, RedisKey, StreamKey,
    command::{
        count, flag,
        old_builder::{Amount, each, expected, native, native_many},
    },
    error::Cause,
};

pub(crate) fn one<K: StreamKey>(key: &K, id: EntryId) -> Command<bool> {
    let push = |cmd: &mut Cmd| {
        id.push(cmd);
        Ok(())
    };
    native(key, "XDEL", (1, 24), push, flag)
}

pub(crate) fn many<K, I>(key: &K, ids: I) -> Command<u64>
where
    K: StreamKey,
    I: IntoIterator,
    I::Item: Borrow<EntryId>,
{
    let ids = ids.into_iter();
    let room = expected(&ids);
    native_many(key, "XDEL", (room, 24 * room), |cmd| push_ids(cmd, ids), count)
}

/// Adds ids, of which there may be none.
pub(super) fn push_ids<I>(cmd: &mut Cmd, ids: I) -> Result<Amount, Cause>
where
    I: IntoIterator,
    I::Item: Borrow<EntryId>,
{
    each(ids, |id| {
        id.borrow().push(cmd);
        Ok(())
    })
}

/// What is trimmed away.
#[derive(Clone, Copy)]
pub(crate) enum Trim {
    ToLen(u32),
    ToAboutLen(u32),
    Before(EntryId),
}

pub(crate) fn xtrim<K: RedisKey>(key: &K, trim: Trim) -> Command<u64> {
    let push = |cmd: &mut Cmd| {
        let (strategy, operator): (&[u8], &[u8]) = match trim {
            Trim::ToLen(_) => (b"MAXLEN", b"="),
            Trim::ToAboutLen(_) => (b"MAXLEN", b"~"),
            Trim::Before(_) => (b"MINID", b"="),
        };
        cmd.write_arg(strategy);
        cmd.write_arg(operator);
        match trim {
            Trim::ToLen(len) | Trim::ToAboutLen(len) => _ = cmd.arg(len),
            Trim::Before(id) => id.push(cmd),
        }
        Ok(())
    };
    native(key, "XTRIM", (3, 48), push, count)
}
