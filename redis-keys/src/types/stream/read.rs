//! `XREAD` and `XREADGROUP`, whose key follows their options.

use std::time::Duration;

use redis::{Cmd, RedisWrite as _};
use redis_keys_core::limits::{MAX_KEY_BYTES, is_word_byte};

use super::EntryId;
use crate::command::arguments::{Amount, Arguments, Capacity, Count};
use crate::command::blocking::{Blocking, Read, Renewing};
use crate::command::builder::{Build as _, BuiltCommand};
use crate::command::{Decode, on_key, push_key};
use crate::error::Cause;
use crate::schema::{Draw as _, Renew, Schema};
use crate::{Command, Error, StreamKey, lua};

/// A read from a single stream.
#[derive(Clone, Copy)]
pub(super) struct StreamRead<'a> {
    /// The group and the consumer of XREADGROUP; without them it is an XREAD.
    pub(super) consumer: Option<(GroupName<'a>, ConsumerName<'a>)>,
    pub(super) start: ReadStart,
    pub(super) count: u32,
}

/// The position at which a read starts.
#[derive(Clone, Copy)]
pub(super) enum ReadStart {
    After(EntryId),
    /// After the last entry that was delivered to any consumer of the group.
    Undelivered,
}

impl StreamRead<'_> {
    /// Returns the command, which restarts the expiry according to `renew`.
    pub(super) fn command<K: StreamKey, T: Default>(self, key: &K, decode: Decode<T>) -> Command<T> {
        let renewal = (K::SCHEMA.renew, K::SCHEMA.expiry.draw());
        let built = if let (Some(Renew::Read), Some(ms)) = renewal {
            key.script(&lua::READ_STREAM, (ms, self.start, self.options()))
        } else {
            let asks_time_left = matches!(renewal, (Some(Renew::Below(_)), Some(_)));
            BuiltCommand { key, script: None, asks_time_left, cmd: self.native(key) }
        };
        built.reply(decode)
    }

    /// The command that waits for the first entry.
    pub(super) fn blocking<K: StreamKey, T>(self, key: &K, wait: Duration, decode: Decode<Option<T>>) -> Blocking<T> {
        Blocking::read(K::SCHEMA, wait, self.blocking_read(key, decode))
    }

    fn blocking_read<K: StreamKey, T>(self, key: &K, decode: Decode<Option<T>>) -> Result<Read<T>, Error> {
        let no_count = || refusal(key, Cause::Argument("a blocking read needs a count of at least 1"));
        let cmd = self.native(key)?.ok_or_else(no_count)?;
        let renewing = match (K::SCHEMA.renew, K::SCHEMA.expiry.draw()) {
            (Some(Renew::Read), Some(ms)) => {
                let script = key.script(&lua::READ_STREAM, (ms, self.start, self.options())).cmd?;
                Some(Renewing { script, left: on_key(key, "PTTL", 0, 0)? })
            }
            (Some(Renew::Below(_)), Some(_)) => Some(Renewing { script: None, left: on_key(key, "PTTL", 0, 0)? }),
            _ => None,
        };
        // BLOCK is inserted before STREAMS: XREADGROUP GROUP group consumer COUNT count, or XREAD COUNT count.
        let before = if self.consumer.is_some() { 6 } else { 3 };
        Ok(Read { schema: K::SCHEMA, decode, cmd, before, renewing })
    }

    fn native<K: StreamKey>(self, key: &K) -> Result<Option<Cmd>, Error> {
        let refused = |cause| refusal(key, cause);
        let mut cmd = Cmd::with_capacity(9, 96 + MAX_KEY_BYTES);
        let amount = self.options().push(&mut cmd, K::SCHEMA).map_err(refused)?;
        push_key(&mut cmd, key)?;
        self.start.push(&mut cmd, K::SCHEMA).map_err(refused)?;
        Ok((amount == Amount::Some).then_some(cmd))
    }

    /// The name and all arguments before the key. With a count of 0 there is nothing to read; Redis would take it for
    /// no limit.
    fn options(self) -> impl Arguments {
        let (name, consumer) = match self.consumer {
            None => ("XREAD", None),
            Some((group, consumer)) => ("XREADGROUP", Some(("GROUP", group, consumer))),
        };
        (name, consumer, "COUNT", Count(self.count), "STREAMS")
    }
}

impl Arguments for ReadStart {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, 24)
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        match self {
            Self::After(id) => cmd.write_arg_fmt(id),
            Self::Undelivered => cmd.write_arg(b">"),
        }
        Ok(Amount::Some)
    }
}

#[cold]
fn refusal<K: StreamKey>(key: &K, cause: Cause) -> Error {
    match key.key() {
        Ok(key) => Error::refused(K::SCHEMA, Some(key.as_str().into()), cause),
        Err(error) => error,
    }
}

/// A group's name, which follows the rules of keys.
#[derive(Clone, Copy)]
pub(super) struct GroupName<'a>(pub(super) &'a str);

impl Arguments for GroupName<'_> {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, self.0.len())
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        let Self(name) = self;
        let is_word = |word: &str| !word.is_empty() && word.bytes().all(is_word_byte);
        if name.len() > MAX_KEY_BYTES || !name.split('.').all(is_word) {
            let rule = "a group name consists of lower-case words separated by dots, of at most 128 bytes";
            return Err(Cause::Argument(rule));
        }
        check_keyword(name)?;
        cmd.write_arg(name.as_bytes());
        Ok(Amount::Some)
    }
}

/// A consumer's name, which is often the name of a machine.
#[derive(Clone, Copy)]
pub(super) struct ConsumerName<'a>(pub(super) &'a str);

impl Arguments for ConsumerName<'_> {
    #[inline]
    fn capacity(&self, _schema: &'static Schema) -> Capacity {
        Capacity::new(1, self.0.len())
    }

    fn push(self, cmd: &mut Cmd, _schema: &'static Schema) -> Result<Amount, Cause> {
        let Self(name) = self;
        if name.is_empty() || name.len() > MAX_KEY_BYTES || !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Cause::Argument("a consumer name consists of 1 to 128 visible ASCII characters"));
        }
        check_keyword(name)?;
        cmd.write_arg(name.as_bytes());
        Ok(Amount::Some)
    }
}

/// Rejects the word after which cluster clients expect the key.
fn check_keyword(name: &str) -> Result<(), Cause> {
    if name.eq_ignore_ascii_case("streams") {
        return Err(Cause::Argument("`streams` is a keyword of the command"));
    }
    Ok(())
}
