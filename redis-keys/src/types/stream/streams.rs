//! XREAD and XREADGROUP, whose key stands behind their options.

use std::time::Duration;

use redis::{Cmd, RedisWrite as _};
use redis_keys_core::limits::MAX_KEY_BYTES;

use super::{EntryId, name::Member};
use crate::{
    Command, Error, StreamKey,
    command::blocking::{Blocking, Read, Renewing},
    command::{Decode, builder::checked_count, on_key, push_key, script_on_key},
    error::Cause,
    lua,
    schema::Renew,
};

/// What is asked for.
#[derive(Clone, Copy)]
pub(super) struct Streams<'a> {
    /// XREADGROUP for that consumer, or XREAD.
    pub(super) group: Option<Member<'a>>,
    pub(super) count: u32,
    /// What comes after this id; for a group else what none of its consumers has got.
    pub(super) last: Option<EntryId>,
}

impl Streams<'_> {
    /// All that stands before the key.
    fn push(&self, cmd: &mut Cmd) {
        match self.group {
            None => cmd.write_arg(b"XREAD"),
            Some(Member { group, consumer }) => {
                for word in ["XREADGROUP", "GROUP", group, consumer] {
                    cmd.write_arg(word.as_bytes());
                }
            }
        }
        cmd.write_arg(b"COUNT");
        cmd.arg(self.count);
        cmd.write_arg(b"STREAMS");
    }

    /// How many words stand before `STREAMS`.
    fn before(&self) -> usize {
        let group = if self.group.is_some() { 3 } else { 0 };
        1 + group + 2
    }

    fn push_last(&self, cmd: &mut Cmd) {
        match self.last {
            Some(id) => id.push(cmd),
            None => cmd.write_arg(b">"),
        }
    }
}

/// A read, with `renew` in mind. The names are checked already.
pub(super) fn read<K: StreamKey, T: Default>(key: &K, call: Streams<'_>, decode: Decode<T>) -> Command<T> {
    if let Err(cause) = checked_count(call.count) {
        return super::refused(key, cause);
    }
    // COUNT 0 would be all.
    if call.count == 0 {
        return Command::ready(T::default());
    }
    let schema = K::SCHEMA;
    match (schema.renew, schema.expiry.draw()) {
        (Some(Renew::Read), Some(ms)) => Command::script(schema, &lua::READ_STREAM, renewing(key, &call, ms), decode),
        (Some(Renew::Below(_)), Some(_)) => {
            match native(key, &call).and_then(|cmd| Ok([cmd, on_key(key, "PTTL", 0, 0)?])) {
                Ok(cmds) => Command::renewing(schema, cmds, decode),
                Err(error) => Command::refused(error),
            }
        }
        _ => Command::one(schema, native(key, &call), decode),
    }
}

fn native<K: StreamKey>(key: &K, call: &Streams<'_>) -> Result<Cmd, Error> {
    let mut cmd = Cmd::with_capacity(9, ROOM + MAX_KEY_BYTES);
    call.push(&mut cmd);
    push_key(&mut cmd, key)?;
    call.push_last(&mut cmd);
    Ok(cmd)
}

fn renewing<K: StreamKey>(key: &K, call: &Streams<'_>, ms: u64) -> Result<Cmd, Error> {
    let mut cmd = script_on_key(key, &lua::READ_STREAM, 9, ROOM)?;
    cmd.arg(ms);
    call.push_last(&mut cmd);
    call.push(&mut cmd);
    Ok(cmd)
}

/// A read that waits for the first entry.
pub(super) fn block<K: StreamKey, T>(
    key: &K,
    call: Streams<'_>,
    wait: Duration,
    decode: Decode<Option<T>>,
) -> Blocking<T> {
    let schema = K::SCHEMA;
    let read = || {
        checked_count(call.count).map_err(|cause| super::refusal(key, cause))?;
        if call.count == 0 {
            let cause = Cause::Argument("a read that waits is for at least one entry");
            return Err(super::refusal(key, cause));
        }
        let renewing = match (schema.renew, schema.expiry.draw()) {
            (Some(Renew::Read), Some(ms)) => Some(Some(renewing(key, &call, ms)?)),
            (Some(Renew::Below(_)), Some(_)) => Some(None),
            _ => None,
        };
        let renewing = match renewing {
            Some(script) => Some(Renewing { script, left: on_key(key, "PTTL", 0, 0)? }),
            None => None,
        };
        Ok(Read { schema, decode, cmd: native(key, &call)?, before: call.before(), renewing })
    };
    Blocking::read(schema, wait, read())
}

/// For all but the key, unless the names are long.
const ROOM: usize = 96;
