//! Reading many keys at once.

use std::{borrow::Borrow, mem};

use redis::{Cmd, RedisWrite as _, Value};

use super::read::{get_and_time_left_cmds, get_ex_cmd};
use crate::{
    Command, Error, StringKey,
    command::{Decode, Fault, Replies, Sent, Step, renewal, value},
    error::Cause,
    key::KeyWriter,
    schema::Renew,
    stored::Stored,
    types::string::Output,
};

/// The most keys in one MGET.
const MOST: usize = 100;

type Found<V> = Result<Step<Vec<Option<<V as Stored>::Output>>>, Fault>;

pub(crate) fn get_many<K, I>(keys: I) -> Command<Vec<Option<Output<K>>>>
where
    K: StringKey,
    I: IntoIterator,
    I::Item: Borrow<K>,
{
    let keys = keys.into_iter();
    let (cmds, decode): (_, Decode<_>) = match K::SCHEMA.renew {
        Some(Renew::Read) => (keys.map(|key| get_ex_cmd(key.borrow())).collect(), each::<K::Value>),
        Some(Renew::Below(_)) => (pairs(keys), each_with_time_left::<K::Value>),
        Some(Renew::Write) | None => (mget(keys), lists::<K::Value>),
    };
    match cmds {
        Ok(cmds) if cmds.is_empty() => Command::ready(Vec::new()),
        Ok(cmds) => Command::many(K::SCHEMA, cmds, decode),
        Err(error) => Command::refused(error),
    }
}

/// One MGET for each 100 keys.
fn mget<K: StringKey, B: Borrow<K>>(keys: impl Iterator<Item = B>) -> Result<Vec<Cmd>, Error> {
    let mut cmds = Vec::new();
    let mut room = keys.size_hint().0;
    let mut cmd = Cmd::new();
    let mut len = 0;
    for key in keys {
        if len == MOST {
            cmds.push(mem::take(&mut cmd));
            len = 0;
        }
        if len == 0 {
            cmd = Cmd::with_capacity(1 + room.clamp(1, MOST), 4 + 40 * room.clamp(1, MOST));
            cmd.write_arg(b"MGET");
            room = room.saturating_sub(MOST);
        }
        let mut writer = KeyWriter::new();
        writer.write(key.borrow());
        cmd.write_arg(writer.bytes().map_err(|fault| Error::refused(K::SCHEMA, None, Cause::Key(fault)))?);
        len += 1;
    }
    if len > 0 {
        cmds.push(cmd);
    }
    Ok(cmds)
}

fn pairs<K: StringKey, B: Borrow<K>>(keys: impl Iterator<Item = B>) -> Result<Vec<Cmd>, Error> {
    let mut cmds = Vec::with_capacity(2 * keys.size_hint().0);
    for key in keys {
        cmds.extend(get_and_time_left_cmds(key.borrow())?);
    }
    Ok(cmds)
}

/// The replies to MGETs.
fn lists<V: Stored>(replies: Replies, sent: &Sent<'_>) -> Found<V> {
    let mut found = Vec::new();
    for (command, reply) in replies.all().enumerate() {
        let Value::Array(values) = reply else {
            return Err(Fault::unexpected().of(command, 0));
        };
        // The name of the command is no key.
        if sent.command(command).is_some_and(|cmd| cmd.args_iter().len() - 1 != values.len()) {
            return Err(Fault::unexpected().of(command, 0));
        }
        found.reserve(values.len());
        for (key, value) in values.into_iter().enumerate() {
            found.push(value::read::<V>(value).map_err(|fault| fault.of(command, key))?);
        }
    }
    Ok(Step::Done(found))
}

/// The replies to GETs or GETEXs.
fn each<V: Stored>(replies: Replies, _sent: &Sent<'_>) -> Found<V> {
    let values = replies.all().enumerate();
    let found = values.map(|(command, value)| value::read::<V>(value).map_err(|fault| fault.of(command, 0)));
    found.collect::<Result<_, _>>().map(Step::Done)
}

/// The replies to GETs and PTTLs in turn.
fn each_with_time_left<V: Stored>(replies: Replies, sent: &Sent<'_>) -> Found<V> {
    let (mut found, mut renewals) = (Vec::new(), Vec::new());
    for (command, reply) in replies.all().enumerate() {
        if command % 2 == 0 {
            found.push(value::read::<V>(reply).map_err(|fault| fault.of(command, 0))?);
        } else {
            renewals.extend(renewal(&reply, sent, command)?);
        }
    }
    Ok(Step::then(found, renewals))
}
