//! GET and its kin.

use std::time::Duration;

use redis::{Cmd, RedisWrite as _, Value};

use super::value;
use crate::{
    Command, Error, Renew, StringKey,
    command::{Fault, Replies, Sent, Step, key_of, on_key},
    stored::Stored,
    string_key::Output,
};

pub(crate) fn get<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    match K::SCHEMA.renew {
        Some(Renew::Read) => get_ex(key),
        Some(Renew::Below(_)) => get_and_time_left(key),
        Some(Renew::Write) | None => Command::one(K::SCHEMA, on_key(key, "GET", 0, 0), found::<K::Value>),
    }
}

pub(crate) fn get_del<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    Command::one(K::SCHEMA, on_key(key, "GETDEL", 0, 0), found::<K::Value>)
}

pub(crate) fn get_ex<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    Command::one(K::SCHEMA, get_ex_cmd(key), found::<K::Value>)
}

pub(super) fn get_ex_cmd<K: StringKey>(key: &K) -> Result<Cmd, Error> {
    let mut cmd = on_key(key, "GETEX", 2, 32)?;
    match K::SCHEMA.expiry.draw() {
        Some(ms) => cmd.arg("PX").arg(ms),
        None => cmd.arg("PERSIST"),
    };
    Ok(cmd)
}

/// GET and PTTL.
pub(super) fn get_and_time_left_cmds<K: StringKey>(key: &K) -> Result<[Cmd; 2], Error> {
    Ok([on_key(key, "GET", 0, 0)?, on_key(key, "PTTL", 0, 0)?])
}

fn get_and_time_left<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    match get_and_time_left_cmds(key) {
        Ok(cmds) => Command::many(K::SCHEMA, cmds.into(), found_with_time_left::<K::Value>),
        Err(error) => Command::refused(error),
    }
}

/// One value or none.
#[inline]
pub(super) fn found<V: Stored>(replies: Replies, _sent: &Sent) -> Result<Step<Option<V::Output>>, Fault> {
    value::read::<V>(replies.one()).map(Step::Done)
}

fn found_with_time_left<V: Stored>(replies: Replies, sent: &Sent) -> Result<Step<Option<V::Output>>, Fault> {
    let mut replies = replies.all();
    let (value, left) = (replies.next().unwrap_or_default(), replies.next().unwrap_or_default());
    let value = value::read::<V>(value)?;
    let renewal = renewal(&left, sent, 0)?;
    Ok(Step::then(value, renewal.into_iter().collect()))
}

/// The PEXPIRE for the key of the command of that number, when the time that it has left is too short.
pub(super) fn renewal(left: &Value, sent: &Sent, command: usize) -> Result<Option<Cmd>, Fault> {
    let Value::Int(left) = *left else {
        return Err(Fault::unexpected().of(command, 0));
    };
    let Some(Renew::Below(least)) = sent.schema.renew else {
        return Ok(None);
    };
    // -1 is a key without an expiry, which somebody else must have taken away; -2 is no key.
    let short = left == -1 || u64::try_from(left).is_ok_and(|left| Duration::from_millis(left) < least);
    Ok(if short { pexpire(sent, command) } else { None })
}

fn pexpire(sent: &Sent, command: usize) -> Option<Cmd> {
    let (key, ms) = (key_of(sent.command(command)?, 0)?, sent.schema.expiry.draw()?);
    let mut cmd = Cmd::with_capacity(3, "PEXPIRE".len() + key.len() + 20);
    cmd.write_arg(b"PEXPIRE");
    cmd.write_arg(key.as_bytes());
    cmd.arg(ms);
    Some(cmd)
}
