//! Builds the redis commands of accessors, and applies the declaration's `ttl`, `renew` and caps.
//!
//! ```text
//! self.write(&lua::SADD, (MaxLen, value::<Self::Value>(member))).reply(reply::added)
//! ```

use redis::Cmd;

use super::arguments::{Amount, Arguments, Capacity};
use super::expiry::expiry_of;
use super::value::check_readable;
use super::{Decode, key_of, on_key, script_on_key, text_of};
use crate::error::Cause;
use crate::key::KeyText;
use crate::lua::{self, Script};
use crate::schema::{Draw as _, Expiry, Renew};
use crate::stored::Stored;
use crate::{Command, Error};

/// The error of a command without elements, if its result type has no empty value.
const NOTHING_TO_DO: Cause = Cause::Argument("nothing to do");

/// Builds the redis command of an accessor.
pub(crate) trait Build: KeyText + Sized {
    /// A read, which restarts the expiry according to `renew`.
    #[inline]
    fn read<A: Arguments>(&self, name: &'static str, arguments: A) -> BuiltCommand<'_, Self> {
        match (Self::SCHEMA.renew, Self::SCHEMA.expiry.draw()) {
            (Some(Renew::Read), Some(ms)) => self.script(&lua::READ, (ms, name, arguments)),
            (Some(Renew::Below(_)), Some(_)) => BuiltCommand { asks_time_left: true, ..self.native(name, arguments) },
            _ => self.native(name, arguments),
        }
    }

    /// A write by a script, which takes the expiry as its first argument.
    #[inline]
    fn write<A: Arguments>(&self, script: &'static Script, arguments: A) -> BuiltCommand<'_, Self> {
        match expiry_of(self) {
            Ok(expiry) => self.script(script, (expiry, arguments)),
            Err(error) => BuiltCommand { key: self, script: Some(script), asks_time_left: false, cmd: Err(error) },
        }
    }

    /// A write by a single native command that needs no cap.
    #[inline]
    fn write_native<A: Arguments>(&self, name: &'static str, arguments: A) -> BuiltCommand<'_, Self> {
        if Self::SCHEMA.expiry == Expiry::NEVER {
            return self.native(name, arguments);
        }
        self.write(&lua::WRITE, (name, arguments))
    }

    /// A native command that cannot create the key, such as a removal.
    #[inline]
    fn native<A: Arguments>(&self, name: &str, arguments: A) -> BuiltCommand<'_, Self> {
        let Capacity { arguments: len, bytes } = arguments.capacity(Self::SCHEMA);
        let cmd = complete::<Self, A>(on_key(self, name, len, bytes), arguments);
        BuiltCommand { key: self, script: None, asks_time_left: false, cmd }
    }

    /// A command that is rejected because of its arguments.
    #[cold]
    fn refused<T>(&self, cause: Cause) -> Command<T> {
        Command::refused(match text_of(self) {
            Ok(key) => Error::refused(Self::SCHEMA, Some(key.as_str().into()), cause),
            Err(error) => error,
        })
    }

    /// A command that removes or takes the value that it reads. It is rejected if the value could not be decoded.
    #[inline]
    fn removing<V: Stored, T>(&self, command: impl FnOnce(&Self) -> Command<T>) -> Command<T> {
        match check_readable::<V>() {
            Ok(()) => command(self),
            Err(cause) => self.refused(cause),
        }
    }

    /// The call of a script with these arguments only.
    #[inline]
    fn script<A: Arguments>(&self, script: &'static Script, arguments: A) -> BuiltCommand<'_, Self> {
        let Capacity { arguments: len, bytes } = arguments.capacity(Self::SCHEMA);
        let cmd = complete::<Self, A>(script_on_key(self, script, len, bytes), arguments);
        BuiltCommand { key: self, script: Some(script), asks_time_left: false, cmd }
    }
}

impl<K: KeyText> Build for K {}

/// Adds the arguments. Without anything to read or write, there is no command.
#[inline]
fn complete<K: KeyText, A: Arguments>(cmd: Result<Cmd, Error>, arguments: A) -> Result<Option<Cmd>, Error> {
    let mut cmd = cmd?;
    match arguments.push(&mut cmd, K::SCHEMA) {
        Ok(Amount::Some) => Ok(Some(cmd)),
        Ok(Amount::Nothing) => Ok(None),
        Err(cause) => Err(Error::refused(K::SCHEMA, key_of(&cmd, 0), cause)),
    }
}

/// A complete redis command on a single key.
#[must_use]
pub(crate) struct BuiltCommand<'k, K> {
    pub(crate) key: &'k K,
    pub(crate) script: Option<&'static Script>,
    /// Whether a PTTL follows, for `renew = below(…)`.
    pub(crate) asks_time_left: bool,
    /// The command; `None` if there is nothing to read or write.
    pub(crate) cmd: Result<Option<Cmd>, Error>,
}

impl<K: KeyText> BuiltCommand<'_, K> {
    /// Adds the decoder of the reply. If there is nothing to read or write, the result is the default.
    #[inline]
    pub(crate) fn reply<T: Default>(self, decode: Decode<T>) -> Command<T> {
        self.reply_or(decode, |_| Command::ready(T::default()))
    }

    /// Does the same as [`reply`](Self::reply), for arguments that are never empty.
    #[inline]
    pub(crate) fn reply_one<T>(self, decode: Decode<T>) -> Command<T> {
        self.reply_or(decode, |key| key.refused(NOTHING_TO_DO))
    }

    #[inline]
    fn reply_or<T>(self, decode: Decode<T>, nothing: impl FnOnce(&K) -> Command<T>) -> Command<T> {
        match self.cmd {
            Ok(Some(cmd)) if self.asks_time_left => match on_key(self.key, "PTTL", 0, 0) {
                Ok(time_left) => Command::renewing(K::SCHEMA, [cmd, time_left], decode),
                Err(error) => Command::refused(error),
            },
            Ok(Some(cmd)) => match self.script {
                Some(script) => Command::script(K::SCHEMA, script, Ok(cmd), decode),
                None => Command::one(K::SCHEMA, Ok(cmd), decode),
            },
            Ok(None) => nothing(self.key),
            Err(error) => Command::refused(error),
        }
    }

    /// The script that the command calls, if any, and the command; for arguments that are never empty.
    #[inline]
    pub(crate) fn into_parts(self) -> (Option<&'static Script>, Result<Cmd, Error>) {
        let nothing = || Error::refused(K::SCHEMA, None, NOTHING_TO_DO);
        (self.script, self.cmd.and_then(|cmd| cmd.ok_or_else(nothing)))
    }
}
