//! A whole record into its key.

use std::time::Duration;

use redis::{Cmd, RedisWrite as _, Value};

use super::{RecordField, RecordWriter, RedisHash};
use crate::{
    Command, RecordKey,
    command::{Fault, Replies, Sent, Step, old_builder},
    lua,
};

pub(crate) fn store<K: RecordKey>(key: &K, record: &K::Value) -> Command<()> {
    let schema = K::SCHEMA;
    let room = RecordWriter::room(record, schema);
    let expires = K::Value::FIELDS.iter().any(|field| field.ttl.is_some());
    if room.absent == 0 && !expires {
        let push = |cmd: &mut Cmd| RecordWriter::write(record, cmd, schema).map(drop);
        return old_builder::write_native(key, "HSET", (room.arguments, room.bytes), push, done);
    }
    let names: usize = K::Value::FIELDS.iter().map(|field| field.name.len() + 12).sum();
    let arguments = room.arguments + K::Value::FIELDS.len() * 2 + 2;
    let push = |cmd: &mut Cmd| {
        let absent = RecordWriter::write(record, cmd, schema)?;
        push_rest::<K::Value>(cmd, &absent);
        Ok(())
    };
    old_builder::write(key, &lua::STORE, (arguments, room.bytes + names), push, done)
}

/// What follows the names and values of what is there: the names of what is not, the names and milliseconds of what expires,
/// and where the first two of these end.
fn push_rest<R: RedisHash>(cmd: &mut Cmd, absent: &[&str]) {
    let pairs = 1 + (R::FIELDS.len() - absent.len()) * 2;
    for name in absent {
        cmd.write_arg(name.as_bytes());
    }
    for (name, ttl) in R::FIELDS.iter().filter_map(|field| Some((field.name, field.ttl?))) {
        if !absent.contains(&name) {
            cmd.write_arg(name.as_bytes());
            cmd.arg(millis(ttl));
        }
    }
    cmd.arg(pairs).arg(pairs + absent.len());
}

/// What the scripts take about a field's own expiry: milliseconds, or nothing.
pub(super) fn push_ttl(cmd: &mut Cmd, field: Option<&RecordField>) {
    match field.and_then(|field| field.ttl) {
        Some(ttl) => _ = cmd.arg(millis(ttl)),
        None => cmd.write_arg(b""),
    }
}

pub(super) fn millis(ttl: Duration) -> u64 {
    u64::try_from(ttl.as_millis()).unwrap_or(u64::MAX)
}

/// A number of fields, whatever it is.
fn done(replies: Replies, _sent: &Sent<'_>) -> Result<Step<()>, Fault> {
    match replies.one() {
        Value::Int(_) => Ok(Step::Done(())),
        _ => Err(Fault::unexpected()),
    }
}
