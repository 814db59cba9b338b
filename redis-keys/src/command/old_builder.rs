//! How accessors of collections become commands: with what `ttl`, `renew` and the caps of the declaration ask for.

use std::{borrow::Borrow, ops::Range};

use redis::{Arg, Cmd, RedisWrite as _};
use redis_keys_core::limits::MAX_MAX_LEN;

use crate::{
    Command, Error, RedisKey,
    command::{Decode, as_eval, begin, call, cmd_bytes, key_of, on_key, script_on_key, value},
    error::Cause,
    key::expiry::expiry_of,
    lua,
    lua::Script,
    schema::{Expiry, Renew, Schema},
    stored::Stored,
};

/// The most elements in one call: a command with more would hold up other clients.
pub(crate) const MOST_AT_ONCE: usize = 500;

/// Whether there is anything to be done.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Amount {
    Some,
    Nothing,
}

/// A read of a key, with `renew` in mind. `push` adds what follows the key.
pub(crate) fn read<K: RedisKey, T>(
    key: &K,
    name: &str,
    (arguments, room): (usize, usize),
    push: impl FnOnce(&mut Cmd) -> Result<(), Cause>,
    decode: Decode<T>,
) -> Command<T> {
    let schema = K::SCHEMA;
    let native = || on_key(key, name, arguments, room);
    match (schema.renew, schema.expiry.draw()) {
        (Some(Renew::Read), Some(ms)) => {
            let cmd = script_on_key(key, &lua::READ, 2 + arguments, 20 + name.len() + room);
            let cmd = cmd.map(|mut cmd| {
                cmd.arg(ms);
                cmd.write_arg(name.as_bytes());
                cmd
            });
            Command::script(schema, &lua::READ, with(cmd, schema, push), decode)
        }
        (Some(Renew::Below(_)), Some(_)) => {
            match with(native(), schema, push).and_then(|cmd| Ok([cmd, on_key(key, "PTTL", 0, 0)?])) {
                Ok(cmds) => Command::renewing(schema, cmds, decode),
                Err(error) => Command::refused(error),
            }
        }
        _ => Command::one(schema, with(native(), schema, push), decode),
    }
}

/// A [`read`](fn@read) of many elements, of which there may be none.
pub(crate) fn read_many<K: RedisKey, T: Default>(
    key: &K,
    name: &str,
    (arguments, room): (usize, usize),
    push: impl FnOnce(&mut Cmd) -> Result<Amount, Cause>,
    decode: Decode<T>,
) -> Command<T> {
    let cmd = with_many(on_key(key, name, arguments, room), K::SCHEMA, push);
    unless_nothing(cmd, |cmd| read_by(K::SCHEMA, cmd, decode))
}

/// A [`read`](fn@read) that is put together already.
pub(crate) fn read_by<T>(schema: &'static Schema, cmd: Cmd, decode: Decode<T>) -> Command<T> {
    match (schema.renew, schema.expiry.draw()) {
        (Some(Renew::Read), Some(ms)) => Command::script(schema, &lua::READ, Ok(reading(&cmd, ms)), decode),
        (Some(Renew::Below(_)), Some(_)) => {
            let left = time_left(&cmd);
            Command::renewing(schema, [cmd, left], decode)
        }
        _ => Command::one(schema, Ok(cmd), decode),
    }
}

/// A [`read`](fn@read) by several commands on one key that are put together already, each an atom of its own.
pub(crate) fn read_by_many<T>(schema: &'static Schema, cmds: Vec<Cmd>, decode: Decode<T>) -> Command<T> {
    let mut cmds = match <[Cmd; 1]>::try_from(cmds) {
        Ok([cmd]) => return read_by(schema, cmd, decode),
        Err(cmds) => cmds,
    };
    match (schema.renew, schema.expiry.draw(), cmds.first_mut()) {
        (Some(Renew::Read), Some(ms), Some(first)) => {
            // One of several cannot be sent once more with the script's text, so it brings that at once.
            *first = as_eval(&lua::READ, &reading(first, ms));
            Command::many(schema, cmds, decode)
        }
        (Some(Renew::Below(_)), Some(_), Some(first)) => {
            let left = time_left(first);
            cmds.push(left);
            Command::renewing(schema, cmds, decode)
        }
        _ => Command::many(schema, cmds, decode),
    }
}

/// The call of the script that runs a command and starts its key's expiry anew.
fn reading(cmd: &Cmd, ms: u64) -> Cmd {
    let key = key_of(cmd, 0).unwrap_or_default();
    let mut call = call(&lua::READ, key.as_bytes(), cmd.args_iter().len(), cmd_bytes(cmd) + 20);
    call.arg(ms);
    words(cmd).take(1).chain(behind_key(cmd)).for_each(|word| call.write_arg(word));
    call
}

/// The question how long the key of a command will live.
fn time_left(cmd: &Cmd) -> Cmd {
    begin("PTTL", key_of(cmd, 0).unwrap_or_default().as_bytes(), 0, 0)
}

/// The words of a command.
pub(crate) fn words(cmd: &Cmd) -> impl Iterator<Item = &[u8]> {
    cmd.args_iter().map(|arg| match arg {
        Arg::Simple(word) => word,
        _ => &[],
    })
}

/// The words of a command on one key that follow the key.
fn behind_key(cmd: &Cmd) -> impl Iterator<Item = &[u8]> {
    words(cmd).skip(2)
}

/// A write by a script, which takes the expiry first. `push` adds what follows it.
pub(crate) fn write<K: RedisKey, T>(
    key: &K,
    script: &'static Script,
    (arguments, room): (usize, usize),
    push: impl FnOnce(&mut Cmd) -> Result<(), Cause>,
    decode: Decode<T>,
) -> Command<T> {
    let schema = K::SCHEMA;
    Command::script(schema, script, with(begin_write(key, script, (arguments, room)), schema, push), decode)
}

/// A [`write`](fn@write) of many elements, of which there may be none.
pub(crate) fn write_many<K: RedisKey, T: Default>(
    key: &K,
    script: &'static Script,
    (arguments, room): (usize, usize),
    push: impl FnOnce(&mut Cmd) -> Result<Amount, Cause>,
    decode: Decode<T>,
) -> Command<T> {
    let cmd = write_cmd(key, script, (arguments, room), push);
    unless_nothing(cmd, |cmd| Command::script(K::SCHEMA, script, Ok(cmd), decode))
}

/// What a [`write_many`] sends, if there is anything to be written.
pub(crate) fn write_cmd<K: RedisKey>(
    key: &K,
    script: &Script,
    room: (usize, usize),
    push: impl FnOnce(&mut Cmd) -> Result<Amount, Cause>,
) -> Result<Option<Cmd>, Error> {
    with_many(begin_write(key, script, room), K::SCHEMA, push)
}

pub(crate) fn begin_write<K: RedisKey>(
    key: &K,
    script: &Script,
    (arguments, room): (usize, usize),
) -> Result<Cmd, Error> {
    let mut cmd = script_on_key(key, script, 1 + arguments, 24 + room)?;
    value::push_expiry(&mut cmd, expiry_of(key)?, K::SCHEMA);
    Ok(cmd)
}

/// A write by one native command that knows nothing of expiries and needs no cap.
pub(crate) fn write_native<K: RedisKey, T>(
    key: &K,
    name: &str,
    (arguments, room): (usize, usize),
    push: impl FnOnce(&mut Cmd) -> Result<(), Cause>,
    decode: Decode<T>,
) -> Command<T> {
    if K::SCHEMA.expiry == Expiry::NEVER {
        return native(key, name, (arguments, room), push, decode);
    }
    let named = |cmd: &mut Cmd| {
        cmd.write_arg(name.as_bytes());
        push(cmd)
    };
    write(key, &lua::WRITE, (1 + arguments, name.len() + room), named, decode)
}

/// A [`write_native`] that is put together already, but for its name: what begins the command is another one.
pub(crate) fn write_native_by<T>(
    schema: &'static Schema,
    expiry: Expiry,
    name: &str,
    cmd: &Cmd,
    decode: Decode<T>,
) -> Command<T> {
    let key = key_of(cmd, 0).unwrap_or_default();
    let (arguments, room) = (cmd.args_iter().len(), cmd_bytes(cmd) + 20);
    if schema.expiry == Expiry::NEVER {
        let mut native = begin(name, key.as_bytes(), arguments, room);
        behind_key(cmd).for_each(|word| native.write_arg(word));
        return Command::one(schema, Ok(native), decode);
    }
    let mut write = call(&lua::WRITE, key.as_bytes(), arguments, room);
    value::push_expiry(&mut write, expiry, schema);
    write.write_arg(name.as_bytes());
    behind_key(cmd).for_each(|word| write.write_arg(word));
    Command::script(schema, &lua::WRITE, Ok(write), decode)
}

/// A [`write_native`] of many elements, of which there may be none.
pub(crate) fn write_native_many<K: RedisKey, T: Default>(
    key: &K,
    name: &str,
    (arguments, room): (usize, usize),
    push: impl FnOnce(&mut Cmd) -> Result<Amount, Cause>,
    decode: Decode<T>,
) -> Command<T> {
    if K::SCHEMA.expiry == Expiry::NEVER {
        return native_many(key, name, (arguments, room), push, decode);
    }
    let named = |cmd: &mut Cmd| {
        cmd.write_arg(name.as_bytes());
        push(cmd)
    };
    write_many(key, &lua::WRITE, (1 + arguments, name.len() + room), named, decode)
}

/// One native command that cannot create the key, such as a removal.
pub(crate) fn native<K: RedisKey, T>(
    key: &K,
    name: &str,
    (arguments, room): (usize, usize),
    push: impl FnOnce(&mut Cmd) -> Result<(), Cause>,
    decode: Decode<T>,
) -> Command<T> {
    let schema = K::SCHEMA;
    Command::one(schema, with(on_key(key, name, arguments, room), schema, push), decode)
}

/// A [`native`] command on many elements, of which there may be none.
pub(crate) fn native_many<K: RedisKey, T: Default>(
    key: &K,
    name: &str,
    (arguments, room): (usize, usize),
    push: impl FnOnce(&mut Cmd) -> Result<Amount, Cause>,
    decode: Decode<T>,
) -> Command<T> {
    let cmd = with_many(on_key(key, name, arguments, room), K::SCHEMA, push);
    unless_nothing(cmd, |cmd| Command::one(K::SCHEMA, Ok(cmd), decode))
}

/// Adds what can be refused to what has been begun.
pub(crate) fn with(
    cmd: Result<Cmd, Error>,
    schema: &'static Schema,
    push: impl FnOnce(&mut Cmd) -> Result<(), Cause>,
) -> Result<Cmd, Error> {
    let mut cmd = cmd?;
    match push(&mut cmd) {
        Ok(()) => Ok(cmd),
        Err(cause) => Err(Error::refused(schema, key_of(&cmd, 0), cause)),
    }
}

/// As [`with`], for many elements: there is no command where there are none.
fn with_many(
    cmd: Result<Cmd, Error>,
    schema: &'static Schema,
    push: impl FnOnce(&mut Cmd) -> Result<Amount, Cause>,
) -> Result<Option<Cmd>, Error> {
    let mut amount = Amount::Some;
    let cmd = with(cmd, schema, |cmd| push(cmd).map(|pushed| amount = pushed))?;
    Ok(Some(cmd).filter(|_| amount == Amount::Some))
}

/// What is to be done by a command, if there is one.
fn unless_nothing<T: Default>(cmd: Result<Option<Cmd>, Error>, command: impl FnOnce(Cmd) -> Command<T>) -> Command<T> {
    match cmd {
        Ok(Some(cmd)) => command(cmd),
        Ok(None) => Command::ready(T::default()),
        Err(error) => Command::refused(error),
    }
}

/// Adds the most elements that there may be, for a script that checks it.
pub(crate) fn push_max_len(cmd: &mut Cmd, schema: &Schema) {
    cmd.arg(schema.max_len.unwrap_or(UNLIMITED));
}

/// What a collection without a limit may have: more than fits into any.
pub(crate) const UNLIMITED: u64 = u32::MAX as u64;

/// Adds elements.
pub(crate) fn push_all<V, I>(cmd: &mut Cmd, elements: I, schema: &Schema) -> Result<Amount, Cause>
where
    V: Stored,
    I: IntoIterator,
    I::Item: Borrow<V::Input>,
{
    each(elements, |element| value::push::<V>(cmd, element.borrow(), schema))
}

/// How many elements to make room for: what an iterator promises, and no more than one call takes, as some promise any number.
pub(crate) fn expected(elements: &impl Iterator) -> usize {
    elements.size_hint().0.min(MOST_AT_ONCE)
}

/// Adds something for each element, of which there are at most as many as one call takes.
pub(crate) fn each<I: IntoIterator>(
    elements: I,
    mut push: impl FnMut(I::Item) -> Result<(), Cause>,
) -> Result<Amount, Cause> {
    let mut amount = Amount::Nothing;
    for (number, element) in elements.into_iter().enumerate() {
        if number == MOST_AT_ONCE {
            return Err(Cause::TooMany { most: MOST_AT_ONCE as u64 });
        }
        push(element)?;
        amount = Amount::Some;
    }
    Ok(amount)
}

/// Adds how many elements are asked for.
pub(crate) fn push_count(cmd: &mut Cmd, count: u32) -> Result<Amount, Cause> {
    cmd.arg(checked_count(count)?);
    Ok(if count == 0 { Amount::Nothing } else { Amount::Some })
}

/// So many elements, with at most as many as one call takes.
pub(crate) fn checked_count(count: u32) -> Result<u32, Cause> {
    if u64::from(count) > MOST_AT_ONCE as u64 { Err(Cause::TooMany { most: MOST_AT_ONCE as u64 }) } else { Ok(count) }
}

/// The first and the last position of a range, as Redis writes it; `None` for an empty one.
pub(crate) fn positions(range: &Range<u32>) -> Result<Option<(u32, u32)>, Cause> {
    match range.end.saturating_sub(range.start) {
        0 => Ok(None),
        len if u64::from(len) > MAX_MAX_LEN => Err(Cause::TooMany { most: MAX_MAX_LEN }),
        _ => Ok(Some((range.start, range.end - 1))),
    }
}
