//! The expiry of one field.

use redis::{Cmd, RedisWrite as _, Value};

use super::{Field, store::millis};
use crate::{
    Command, RecordKey, TimeLeft,
    command::{Fault, Replies, Sent, Step, old_builder},
};

pub(crate) fn hexpire<K: RecordKey, V, P>(key: &K, field: Field<K::Value, V, P>) -> Command<bool> {
    let ttl = field.declared().and_then(|declared| declared.ttl).unwrap_or_default();
    let push = |cmd: &mut Cmd| {
        cmd.arg(millis(ttl));
        push_field(cmd, field.name());
        Ok(())
    };
    old_builder::native(key, "HPEXPIRE", (4, 48), push, done)
}

pub(crate) fn httl<K: RecordKey, V, P>(key: &K, field: Field<K::Value, V, P>) -> Command<TimeLeft> {
    let push = |cmd: &mut Cmd| {
        push_field(cmd, field.name());
        Ok(())
    };
    old_builder::native(key, "HPTTL", (3, 32), push, left)
}

pub(crate) fn hpersist<K: RecordKey, V, P>(key: &K, field: Field<K::Value, V, P>) -> Command<bool> {
    let push = |cmd: &mut Cmd| {
        push_field(cmd, field.name());
        Ok(())
    };
    old_builder::native(key, "HPERSIST", (3, 32), push, done)
}

/// `FIELDS 1 name`
fn push_field(cmd: &mut Cmd, name: &str) {
    cmd.write_arg(b"FIELDS");
    cmd.write_arg(b"1");
    cmd.write_arg(name.as_bytes());
}

/// 1 where something has changed.
fn done(replies: Replies, _sent: &Sent<'_>) -> Result<Step<bool>, Fault> {
    of_one_field(replies.one()).map(|answer| Step::Done(answer == 1))
}

fn left(replies: Replies, _sent: &Sent<'_>) -> Result<Step<TimeLeft>, Fault> {
    of_one_field(replies.one()).map(|ms| Step::Done(TimeLeft::from_pttl(ms)))
}

/// The answer for the one field. Where there is no key, some servers answer nothing.
fn of_one_field(reply: Value) -> Result<i64, Fault> {
    match reply {
        Value::Nil => Ok(-2),
        Value::Array(answers) => match answers.as_slice() {
            [Value::Int(answer)] => Ok(*answer),
            _ => Err(Fault::unexpected()),
        },
        _ => Err(Fault::unexpected()),
    }
}
