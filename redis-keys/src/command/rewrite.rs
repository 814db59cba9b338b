//! Rewrites complete redis commands.

use redis::{Cmd, RedisWrite as _};

use super::arguments::Arguments as _;
use super::table::words;
use super::{Decode, as_eval, begin, call, cmd_bytes, key_of};
use crate::schema::{Draw as _, Expiry, Renew, Schema};
use crate::{Command, lua};

/// Creates a read by a native command, which restarts the expiry according to `renew`.
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

/// Does the same as [`read_by`] with several commands on a single key, each atomic by itself.
pub(crate) fn read_by_many<T>(schema: &'static Schema, cmds: Vec<Cmd>, decode: Decode<T>) -> Command<T> {
    let mut cmds = match <[Cmd; 1]>::try_from(cmds) {
        Ok([cmd]) => return read_by(schema, cmd, decode),
        Err(cmds) => cmds,
    };
    match (schema.renew, schema.expiry.draw(), cmds.first_mut()) {
        (Some(Renew::Read), Some(ms), Some(first)) => {
            // When there are several commands, one cannot be repeated with the script's text, so the text is sent from
            // the start.
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

/// The call of the script that runs a command and restarts its key's expiry.
fn reading(cmd: &Cmd, ms: u64) -> Cmd {
    let key = key_of(cmd, 0).unwrap_or_default();
    let mut call = call(&lua::READ, key.as_bytes(), cmd.args_iter().len(), cmd_bytes(cmd).saturating_add(20));
    call.arg(ms);
    words(cmd).take(1).chain(behind_key(cmd)).for_each(|word| call.write_arg(word));
    call
}

/// PTTL on a command's key.
fn time_left(cmd: &Cmd) -> Cmd {
    begin("PTTL", key_of(cmd, 0).unwrap_or_default().as_bytes(), 0, 0)
}

/// The arguments that follow the key, in a command on a single key.
fn behind_key(cmd: &Cmd) -> impl Iterator<Item = &[u8]> {
    words(cmd).skip(2)
}

/// A write by a native command without a cap, with the arguments of `cmd` and another name.
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
    // Adding an expiry never fails.
    let _ = expiry.push(&mut write, schema);
    write.write_arg(name.as_bytes());
    behind_key(cmd).for_each(|word| write.write_arg(word));
    Command::script(schema, &lua::WRITE, Ok(write), decode)
}
