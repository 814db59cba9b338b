//! A request: commands and the decoder of their reply.

#![allow(clippy::arithmetic_side_effects, reason = "what is in memory has fewer bytes than `usize::MAX`")]

use std::fmt;

use redis::{Cmd, RedisWrite as _};

use super::{DecodeResult, Replies, ReplyContext, Step, key_of, renewal};
use crate::Error;
use crate::accessor::Accessor;
use crate::error::Cause;
use crate::key::{Key, KeyText, KeyWriter};
use crate::lua::Script;
use crate::schema::Schema;
use crate::stored::memory;

/// Decodes replies into the result. It is a plain function: the sent command contains all other data it needs.
pub(crate) type Decode<T> = fn(Replies, &ReplyContext<'_>) -> DecodeResult<T>;

pub(crate) struct Request<T> {
    pub(crate) schema: &'static Schema,
    /// The script that the command calls by its SHA-1.
    pub(crate) script: Option<&'static Script>,
    pub(crate) cmds: Cmds,
    pub(crate) reading: Reading<T>,
}

pub(crate) enum Cmds {
    One(Cmd),
    Many(Vec<Cmd>),
    /// The last command asks for the remaining time of the key, which may be too short.
    Renewing(Vec<Cmd>),
}

/// The decoder of the replies, and the accessor whose call they answer.
pub(crate) struct Reading<T> {
    pub(crate) decode: Decode<T>,
    pub(crate) accessor: Accessor,
}

impl<T> Clone for Reading<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Reading<T> {}

impl<T> Reading<T> {
    #[inline]
    pub(crate) fn new(decode: Decode<T>) -> Self {
        Self { decode, accessor: Accessor::default() }
    }

    /// Returns the result, and the commands that must be sent next.
    #[inline]
    pub(crate) fn read(self, replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<T> {
        if replies.has_one_value() {
            // The form's own size limit is sufficient.
            return (self.decode)(replies, sent);
        }
        memory::share(|| (self.decode)(replies, sent))
    }

    /// Returns the result, and the new expiry if the last reply shows that too little time is left.
    pub(crate) fn read_renewing(self, mut replies: Replies, sent: &ReplyContext<'_>) -> DecodeResult<T> {
        let (left, number) = replies.pop();
        let renewal = renewal(&left, sent, number)?;
        Ok(match (self.decode)(replies, sent)? {
            Step::Done(result) => Step::then(result, renewal.into_iter().collect()),
            step @ Step::Then(_) => step,
        })
    }
}

impl<T> fmt::Debug for Request<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.cmds.iter().map(|cmd| key_of(cmd, 0).unwrap_or_default());
        f.debug_struct("Command")
            .field("schema", &self.schema.name)
            .field("keys", &keys.collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}

impl Cmds {
    pub(crate) fn many(cmds: Vec<Cmd>) -> Self {
        match <[Cmd; 1]>::try_from(cmds) {
            Ok([cmd]) => Self::One(cmd),
            Err(cmds) => Self::Many(cmds),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Cmd> {
        match self {
            Self::One(cmd) => std::slice::from_ref(cmd).iter(),
            Self::Many(cmds) | Self::Renewing(cmds) => cmds.iter(),
        }
    }
}

/// Returns the key's text.
pub(crate) fn text_of<K: KeyText>(key: &K) -> Result<Key, Error> {
    let mut writer = KeyWriter::new();
    writer.write(key);
    writer.finish().map_err(|fault| Error::refused(K::SCHEMA, None, Cause::Key(fault)))
}

/// Begins a command with its name and its key, and reserves space for more arguments.
///
/// There are `arguments` more arguments, of `bytes` bytes in total. Growing the buffers of a command costs more than
/// all other work of building it.
#[inline]
pub(crate) fn on_key<K: KeyText>(key: &K, name: &str, arguments: usize, bytes: usize) -> Result<Cmd, Error> {
    let mut writer = KeyWriter::new();
    writer.write(key);
    match writer.bytes() {
        Ok(key) => Ok(begin(name, key, arguments, bytes)),
        Err(fault) => Err(Error::refused(K::SCHEMA, None, Cause::Key(fault))),
    }
}

/// Begins a script call, as [`on_key`] does for a command.
pub(crate) fn script_on_key<K: KeyText>(
    key: &K,
    script: &Script,
    arguments: usize,
    bytes: usize,
) -> Result<Cmd, Error> {
    let mut writer = KeyWriter::new();
    writer.write(key);
    match writer.bytes() {
        Ok(key) => Ok(call(script, key, arguments, bytes)),
        Err(fault) => Err(Error::refused(K::SCHEMA, None, Cause::Key(fault))),
    }
}

/// Adds a further key to a command.
pub(crate) fn push_key<K: KeyText>(cmd: &mut Cmd, key: &K) -> Result<(), Error> {
    let mut writer = KeyWriter::new();
    writer.write(key);
    match writer.bytes() {
        Ok(key) => {
            cmd.write_arg(key);
            Ok(())
        }
        Err(fault) => Err(Error::refused(K::SCHEMA, None, Cause::Key(fault))),
    }
}

/// Begins a command with its name and a key in text form.
#[inline]
pub(crate) fn begin(name: &str, key: &[u8], arguments: usize, bytes: usize) -> Cmd {
    let mut cmd = Cmd::with_capacity(2 + arguments, name.len() + key.len() + bytes);
    cmd.write_arg(name.as_bytes());
    cmd.write_arg(key);
    cmd
}

/// Begins an EVALSHA with a single key.
pub(crate) fn call(script: &Script, key: &[u8], arguments: usize, bytes: usize) -> Cmd {
    call_with(script, 1, key, arguments, bytes)
}

/// Begins an EVALSHA with `keys` keys. The others follow the first.
pub(crate) fn call_with(script: &Script, keys: usize, key: &[u8], arguments: usize, bytes: usize) -> Cmd {
    let mut cmd = Cmd::with_capacity(4 + arguments, "EVALSHA12345".len() + script.sha1.len() + key.len() + bytes);
    cmd.write_arg(b"EVALSHA");
    cmd.write_arg(script.sha1.as_bytes());
    cmd.write_arg(itoa::Buffer::new().format(keys).as_bytes());
    cmd.write_arg(key);
    cmd
}
