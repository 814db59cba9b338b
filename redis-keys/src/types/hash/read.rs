//! HGET, HMGET and their kin.

use std::borrow::Borrow;

use redis::Cmd;

use super::name;
use crate::{
    Command, Error, HashKey,
    command::{
        Decode, Fault, Replies, Sent, Step, key_of,
        old_builder::{push_count, read, read_by_many, read_many},
        on_key, replies, value,
    },
    stored::Stored,
    types::hash::{FieldInput, FieldOutput, Output},
};

/// The most fields in one HMGET.
const MOST: usize = 100;

pub(crate) fn one<K: HashKey>(key: &K, field: &FieldInput<K>) -> Command<Option<Output<K>>> {
    of_field(key, "HGET", field, replies::element::<K::Value>)
}

/// A read of one field.
pub(crate) fn of_field<K: HashKey, T>(key: &K, command: &str, field: &FieldInput<K>, decode: Decode<T>) -> Command<T> {
    read(key, command, (1, name::room::<K>(field)), |cmd| name::push::<K>(cmd, field), decode)
}

pub(crate) fn many<K, I>(key: &K, fields: I) -> Command<Vec<Option<Output<K>>>>
where
    K: HashKey,
    I: IntoIterator,
    I::Item: Borrow<FieldInput<K>>,
{
    match hmgets(key, fields.into_iter()) {
        Ok(cmds) if cmds.is_empty() => Command::ready(Vec::new()),
        Ok(cmds) => read_by_many(K::SCHEMA, cmds, found::<K::Value>),
        Err(error) => Command::refused(error),
    }
}

/// One HMGET for each 100 fields.
fn hmgets<K, I>(key: &K, mut fields: I) -> Result<Vec<Cmd>, Error>
where
    K: HashKey,
    I: Iterator,
    I::Item: Borrow<FieldInput<K>>,
{
    let mut cmds = Vec::new();
    while let Some(first) = fields.next() {
        let room = (1 + fields.size_hint().0).min(MOST);
        let mut cmd = on_key(key, "HMGET", room, 16 * room)?;
        for field in std::iter::once(first).chain(fields.by_ref().take(MOST - 1)) {
            if let Err(cause) = name::push::<K>(&mut cmd, field.borrow()) {
                return Err(Error::refused(K::SCHEMA, key_of(&cmd, 0), cause));
            }
        }
        cmds.push(cmd);
    }
    Ok(cmds)
}

/// The replies to HMGETs.
fn found<V: Stored>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Vec<Option<V::Output>>>, Fault> {
    let mut found = Vec::new();
    for (command, reply) in replies.all().enumerate() {
        let values = replies::all_asked(reply, sent, command)?;
        found.reserve(values.len());
        for value in values {
            found.push(value::read::<V>(value)?);
        }
    }
    Ok(Step::Done(found))
}

pub(crate) fn random<K: HashKey>(key: &K) -> Command<Option<FieldOutput<K>>> {
    read(key, "HRANDFIELD", (0, 0), |_| Ok(()), name::found::<K>)
}

pub(crate) fn random_many<K: HashKey>(key: &K, count: u32) -> Command<Vec<FieldOutput<K>>> {
    read_many(key, "HRANDFIELD", (1, 10), |cmd| push_count(cmd, count), name::all_found::<K>)
}
