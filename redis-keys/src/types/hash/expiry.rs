//! The expiry of one field.

use std::time::Duration;

use redis::{Cmd, RedisWrite as _, Value};

use super::name;
use crate::{
    Command, HashKey, TimeLeft,
    command::{Fault, Replies, Sent, Step, old_builder::native},
    error::Cause,
    key::expiry::expiry_of,
    types::{hash::FieldInput, string::set::milliseconds},
};

pub(crate) fn hexpire<K: HashKey>(key: &K, field: &FieldInput<K>, time: Duration) -> Command<bool> {
    let expiry = match expiry_of(key) {
        Ok(expiry) => expiry,
        Err(error) => return Command::refused(error),
    };
    let push = |cmd: &mut Cmd| {
        cmd.arg(milliseconds(time, expiry).map_err(Cause::Expiry)?);
        push_field::<K>(cmd, field)
    };
    native(key, "HPEXPIRE", (4, 28 + name::room::<K>(field)), push, done)
}

pub(crate) fn httl<K: HashKey>(key: &K, field: &FieldInput<K>) -> Command<TimeLeft> {
    native(key, "HPTTL", (3, 8 + name::room::<K>(field)), |cmd| push_field::<K>(cmd, field), left)
}

pub(crate) fn hpersist<K: HashKey>(key: &K, field: &FieldInput<K>) -> Command<bool> {
    native(key, "HPERSIST", (3, 8 + name::room::<K>(field)), |cmd| push_field::<K>(cmd, field), done)
}

/// `FIELDS 1` and the name.
fn push_field<K: HashKey>(cmd: &mut Cmd, field: &FieldInput<K>) -> Result<(), Cause> {
    cmd.write_arg(b"FIELDS");
    cmd.write_arg(b"1");
    name::push::<K>(cmd, field)
}

/// 1 where something has changed.
fn done(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, Fault> {
    of_one_field(&replies.one()).map(|answer| Step::Done(answer == 1))
}

fn left(replies: Replies, _sent: &Sent<'_>) -> Result<Step<TimeLeft>, Fault> {
    of_one_field(&replies.one()).map(|ms| Step::Done(TimeLeft::from_pttl(ms)))
}

/// The answer for the one field. Where there is no key, some servers answer nothing.
fn of_one_field(reply: &Value) -> Result<i64, Fault> {
    match reply {
        Value::Nil => Ok(-2),
        Value::Array(answers) => match answers.as_slice() {
            [Value::Int(answer)] => Ok(*answer),
            _ => Err(Fault::unexpected()),
        },
        _ => Err(Fault::unexpected()),
    }
}
