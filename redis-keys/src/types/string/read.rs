//! `GET` for a single key and for many, with the effect of `renew`.

use std::borrow::Borrow;
use std::mem;

use redis::{Cmd, RedisWrite as _, Value};

use super::Output;
use crate::command::builder::Build as _;
use crate::command::value::Place;
use crate::command::{
    Decode, DecodeResult, Replies, ReplyContext, ReplyError, Step, expiry, on_key, renewal, reply, value,
};
use crate::error::Cause;
use crate::key::KeyWriter;
use crate::redis_rs::Words as _;
use crate::schema::Renew;
use crate::stored::Stored;
use crate::{Command, Error, RedisKey, StringKey};

/// The maximum number of keys in an `MGET`.
const MAX_KEYS: usize = 100;

#[inline]
pub(super) fn get<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    match K::SCHEMA.renew {
        Some(Renew::Read) => get_ex(key),
        _ => key.read("GET", ()).reply(reply::element::<K::Value>),
    }
}

pub(super) fn get_ex<K: StringKey>(key: &K) -> Command<Option<Output<K>>> {
    Command::one(K::SCHEMA, get_ex_cmd(key), reply::element::<K::Value>)
}

fn get_ex_cmd<K: StringKey>(key: &K) -> Result<Cmd, Error> {
    let mut cmd = on_key(key, "GETEX", 2, 32)?;
    match expiry::draw(key)? {
        Some(ms) => cmd.arg("PX").arg(ms),
        None => cmd.arg("PERSIST"),
    };
    Ok(cmd)
}

pub(super) fn get_many<K, I>(keys: I) -> Command<Vec<Option<Output<K>>>>
where
    K: StringKey,
    I: IntoIterator,
    I::Item: Borrow<K>,
{
    let keys = keys.into_iter();
    let (cmds, decode): (_, Decode<_>) = match K::SCHEMA.renew {
        Some(Renew::Read) => (keys.map(|key| get_ex_cmd(key.borrow())).collect(), read_gets::<K::Value>),
        Some(Renew::Below(_)) => (get_and_pttl_cmds(keys), read_gets_and_pttls::<K::Value>),
        _ => (mget_cmds(keys), read_mgets::<K::Value>),
    };
    many::<K, _>(cmds, decode)
}

/// Builds an `MGET` for every 100 keys. Without keys there are no values.
pub(crate) fn mget<K, B, T>(keys: impl Iterator<Item = B>, decode: Decode<Vec<T>>) -> Command<Vec<T>>
where
    K: RedisKey,
    B: Borrow<K>,
{
    many::<K, _>(mget_cmds(keys), decode)
}

pub(crate) fn many<K: RedisKey, T>(cmds: Result<Vec<Cmd>, Error>, decode: Decode<Vec<T>>) -> Command<Vec<T>> {
    match cmds {
        Ok(cmds) if cmds.is_empty() => Command::ready(Vec::new()),
        Ok(cmds) => Command::many(K::SCHEMA, cmds, decode),
        Err(error) => Command::refused(error),
    }
}

/// Returns an `MGET` for every 100 keys.
#[allow(clippy::arithmetic_side_effects, reason = "it counts to 100")]
fn mget_cmds<K: RedisKey, B: Borrow<K>>(keys: impl Iterator<Item = B>) -> Result<Vec<Cmd>, Error> {
    let mut cmds = Vec::new();
    let mut expected = keys.size_hint().0;
    let mut cmd = Cmd::new();
    let mut len = 0;
    for key in keys {
        if len == MAX_KEYS {
            cmds.push(mem::take(&mut cmd));
            len = 0;
        }
        if len == 0 {
            let keys = expected.clamp(1, MAX_KEYS);
            cmd = Cmd::with_capacity(keys.saturating_add(1), keys.saturating_mul(40).saturating_add(4));
            cmd.write_arg(b"MGET");
            expected = expected.saturating_sub(MAX_KEYS);
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

fn get_and_pttl_cmds<K: StringKey, B: Borrow<K>>(keys: impl Iterator<Item = B>) -> Result<Vec<Cmd>, Error> {
    let mut cmds = Vec::with_capacity(keys.size_hint().0.saturating_mul(2));
    for key in keys {
        let key = key.borrow();
        cmds.extend([on_key(key, "GET", 0, 0)?, on_key(key, "PTTL", 0, 0)?]);
    }
    Ok(cmds)
}

type Values<V> = DecodeResult<Vec<Option<<V as Stored>::Output>>>;

fn read_mgets<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> Values<V> {
    read_each(replies, sent, value::read_at::<V>).map(Step::Done)
}

/// Reads each value in the replies to `MGET`s.
pub(crate) fn read_each<'s, T>(
    replies: Replies,
    sent: &'s ReplyContext<'s>,
    read: impl Fn(Value, Place<'s>) -> Result<T, ReplyError>,
) -> Result<Vec<T>, ReplyError> {
    let mut values = Vec::new();
    for (command, reply) in replies.all().enumerate() {
        let Value::Array(list) = reply else {
            return Err(ReplyError::unexpected().of(command, 0));
        };
        // All arguments but the command's name are keys.
        if sent.command(command).is_some_and(|cmd| cmd.words().skip(1).count() != list.len()) {
            return Err(ReplyError::unexpected().of(command, 0));
        }
        values.reserve(list.len());
        for (key, value) in list.into_iter().enumerate() {
            values.push(read(value, Place::of_key(sent, command, key)).map_err(|fault| fault.of(command, key))?);
        }
    }
    Ok(values)
}

/// Reads the replies to `GET`s or `GETEX`s.
fn read_gets<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> Values<V> {
    let replies = replies.all().enumerate();
    let values = replies.map(|(command, reply)| {
        value::read_at::<V>(reply, Place::of_key(sent, command, 0)).map_err(|fault| fault.of(command, 0))
    });
    values.collect::<Result<_, _>>().map(Step::Done)
}

/// Reads the replies to `GET`s and `PTTL`s in turn.
fn read_gets_and_pttls<V: Stored>(replies: Replies, sent: &ReplyContext<'_>) -> Values<V> {
    let (mut values, mut renewals) = (Vec::new(), Vec::new());
    for (command, reply) in replies.all().enumerate() {
        if command % 2 == 0 {
            let value = value::read_at::<V>(reply, Place::of_key(sent, command, 0));
            values.push(value.map_err(|fault| fault.of(command, 0))?);
        } else {
            renewals.extend(renewal(&reply, sent, command)?);
        }
    }
    Ok(Step::then(values, renewals))
}
