//! Rewrites redis commands that are complete already.

use redis::{Cmd, RedisWrite as _};

use super::arguments::Arguments as _;
use super::table::words;
use super::{Decode, as_eval, begin, call, cmd_bytes, key_of};
use crate::schema::{Draw as _, Expiry, Renew, Schema};
use crate::{Command, lua};

/// A read by a native command, which restarts the expiry as `renew` asks for.
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

/// As [`read_by`], by several commands on one key, each atomic by itself.
pub(crate) fn read_by_many<T>(schema: &'static Schema, cmds: Vec<Cmd>, decode: Decode<T>) -> Command<T> {
    let mut cmds = match <[Cmd; 1]>::try_from(cmds) {
        Ok([cmd]) => return read_by(schema, cmd, decode),
        Err(cmds) => cmds,
    };
    match (schema.renew, schema.expiry.draw(), cmds.first_mut()) {
        (Some(Renew::Read), Some(ms), Some(first)) => {
            // One of several commands cannot be repeated with the script's text, so it brings the text from the start.
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

/// The call of the script that runs a command and restarts the expiry of its key.
fn reading(cmd: &Cmd, ms: u64) -> Cmd {
    let key = key_of(cmd, 0).unwrap_or_default();
    let mut call = call(&lua::READ, key.as_bytes(), cmd.args_iter().len(), cmd_bytes(cmd).saturating_add(20));
    call.arg(ms);
    words(cmd).take(1).chain(behind_key(cmd)).for_each(|word| call.write_arg(word));
    call
}

/// PTTL of the key of a command.
fn time_left(cmd: &Cmd) -> Cmd {
    begin("PTTL", key_of(cmd, 0).unwrap_or_default().as_bytes(), 0, 0)
}

/// The arguments of a command on one key that follow the key.
fn behind_key(cmd: &Cmd) -> impl Iterator<Item = &[u8]> {
    words(cmd).skip(2)
}

/// A write by a native command that needs no cap, with the arguments of `cmd` and another name.
pub(crate) fn write_native_by<T>(
    schema: &'static Schema,
    expiry: Expiry,
    name: &str,
    cmd: &Cmd,
    decode: Decode<T>,
) -> Command<T> {
    let key = key_of(cmd, 0).unwrap_or_default();
    let (arguments, room) = (cmd.args_iter().len(), cmd_bytes(cmd).saturating_add(20));
    if schema.expiry == Expiry::NEVER {
        let mut native = begin(name, key.as_bytes(), arguments, room);
        behind_key(cmd).for_each(|word| native.write_arg(word));
        return Command::one(schema, Ok(native), decode);
    }
    let mut write = call(&lua::WRITE, key.as_bytes(), arguments, room);
    // An expiry can always be added.
    let _ = expiry.push(&mut write, schema);
    write.write_arg(name.as_bytes());
    behind_key(cmd).for_each(|word| write.write_arg(word));
    Command::script(schema, &lua::WRITE, Ok(write), decode)
}
