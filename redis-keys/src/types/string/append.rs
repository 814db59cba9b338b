//! APPEND.

use redis::{Cmd, Value};

use crate::{
    Command, Error, StringKey,
    command::{Fault, Replies, Sent, Step, key_of, script_on_key, value},
    error::Cause,
    key::expiry::expiry_of,
    lua,
    types::string::Input,
};

pub(crate) fn append<K: StringKey>(key: &K, end: &Input<K>) -> Command<u64> {
    Command::script(K::SCHEMA, &lua::APPEND, append_cmd(key, end), new_size)
}

fn append_cmd<K: StringKey>(key: &K, end: &Input<K>) -> Result<Cmd, Error> {
    let schema = K::SCHEMA;
    let mut cmd = script_on_key(key, &lua::APPEND, 3, value::room::<K::Value>(end, schema) + 48)?;
    if let Err(cause) = value::push::<K::Value>(&mut cmd, end, schema) {
        return Err(Error::refused(schema, key_of(&cmd, 0), cause));
    }
    cmd.arg(schema.max_bytes.unwrap_or(u64::MAX));
    value::push_expiry(&mut cmd, expiry_of(key)?, schema);
    Ok(cmd)
}

/// The new size, or the one that would have been too large, negative.
fn new_size(replies: Replies, _sent: &Sent<'_>) -> Result<Step<u64>, Fault> {
    match replies.one() {
        Value::Int(size) if size < 0 => Err(Fault::new(Cause::ValueSize { bytes: size.unsigned_abs() })),
        Value::Int(size) => Ok(Step::Done(size.unsigned_abs())),
        _ => Err(Fault::unexpected()),
    }
}
