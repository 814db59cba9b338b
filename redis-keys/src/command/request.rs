//! What is to be sent, and how its answer is read.

use std::fmt;

use redis::{Cmd, RedisWrite as _};

use super::{Fault, Replies, Sent, Step, key_of};
use crate::{Error, KeyWriter, RedisKey, error::Cause, script::Script};

/// How replies become the result. A plain function: what it needs beyond the replies stands in what was sent.
pub(crate) type Decode<T> = fn(Replies, &Sent) -> Result<Step<T>, Fault>;

pub(crate) struct Request<T> {
    pub(super) sent: Sent,
    pub(super) decode: Decode<T>,
}

impl<T> fmt::Debug for Request<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.sent.commands().map(|cmd| key_of(cmd, 0).unwrap_or_default());
        f.debug_struct("Command")
            .field("schema", &self.sent.schema.name)
            .field("keys", &keys.collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

/// Begins a command with its name and its key, with room for so many more arguments of so many bytes together.
///
/// Growing a command's buffers costs more than all the rest of building it, so it gets its size at once.
#[inline]
pub(crate) fn on_key<K: RedisKey>(key: &K, name: &str, arguments: usize, room: usize) -> Result<Cmd, Error> {
    let mut writer = KeyWriter::new();
    writer.write(key);
    match writer.bytes() {
        Ok(key) => Ok(begin(name, key, arguments, room)),
        Err(fault) => Err(Error::refused(K::SCHEMA, None, Cause::Key(fault))),
    }
}

/// Begins a call of a script, as [`on_key`] does.
pub(crate) fn script_on_key<K: RedisKey>(
    key: &K,
    script: &Script,
    arguments: usize,
    room: usize,
) -> Result<Cmd, Error> {
    let mut writer = KeyWriter::new();
    writer.write(key);
    match writer.bytes() {
        Ok(key) => Ok(call(script, key, arguments, room)),
        Err(fault) => Err(Error::refused(K::SCHEMA, None, Cause::Key(fault))),
    }
}

#[inline]
fn begin(name: &str, key: &[u8], arguments: usize, room: usize) -> Cmd {
    let mut cmd = Cmd::with_capacity(2 + arguments, name.len() + key.len() + room);
    cmd.write_arg(name.as_bytes());
    cmd.write_arg(key);
    cmd
}

/// EVALSHA with one key.
pub(crate) fn call(script: &Script, key: &[u8], arguments: usize, room: usize) -> Cmd {
    let mut cmd = Cmd::with_capacity(4 + arguments, "EVALSHA1".len() + script.sha1.len() + key.len() + room);
    cmd.write_arg(b"EVALSHA");
    cmd.write_arg(script.sha1.as_bytes());
    cmd.write_arg(b"1");
    cmd.write_arg(key);
    cmd
}
