//! Counting up and down.

use redis::{Cmd, RedisWrite as _, Value};

use crate::{
    Command, Error, StringKey,
    command::{Fault, Replies, Sent, Step, key_of, on_key, script_on_key, value},
    error::Cause,
    key::expiry::expiry_of,
    lua,
    schema::{Expiry, Schema},
    stored::{Float, Integer},
};

pub(crate) fn by_one<K: StringKey<Value: Integer>>(key: &K, step: i64) -> Command<K::Value> {
    count(key, Some(step))
}

pub(crate) fn up<K: StringKey<Value: Integer>>(key: &K, number: K::Value) -> Command<K::Value> {
    count(key, number.to_i64())
}

pub(crate) fn down<K: StringKey<Value: Integer>>(key: &K, number: K::Value) -> Command<K::Value> {
    count(key, number.to_i64().and_then(i64::checked_neg))
}

/// A step that does not fit into 64 bits with a sign is one that no count can make.
fn count<K: StringKey<Value: Integer>>(key: &K, step: Option<i64>) -> Command<K::Value> {
    let schema = K::SCHEMA;
    let (lowest, highest) = (K::Value::LOWEST, K::Value::HIGHEST);
    if schema.expiry == Expiry::NEVER && (lowest, highest) == (i64::MIN, i64::MAX) {
        let cmd = on_key(key, "INCRBY", 1, 20).and_then(|cmd| with_step::<K::Value>(cmd, step, schema));
        return Command::one(schema, cmd, new_number::<K::Value>);
    }
    let cmd = script_on_key(key, &lua::COUNT, 5, 104).and_then(|cmd| with_step::<K::Value>(cmd, step, schema));
    let cmd = cmd.and_then(|mut cmd| {
        cmd.arg(step.unwrap_or_default().saturating_neg()).arg(lowest).arg(highest);
        value::push_expiry(&mut cmd, expiry_of(key)?, schema);
        Ok(cmd)
    });
    Command::script(schema, &lua::COUNT, cmd, new_number::<K::Value>)
}

fn with_step<V: Integer>(mut cmd: Cmd, step: Option<i64>, schema: &'static Schema) -> Result<Cmd, Error> {
    match push_step::<V>(&mut cmd, step) {
        Ok(()) => Ok(cmd),
        Err(cause) => Err(Error::refused(schema, key_of(&cmd, 0), cause)),
    }
}

/// Adds by how much is counted.
pub(crate) fn push_step<V: Integer>(cmd: &mut Cmd, step: Option<i64>) -> Result<(), Cause> {
    match step {
        // Minus the lowest number is no number, so there would be no way back from such a step.
        None | Some(i64::MIN) if V::LOWEST == i64::MIN => Err(Cause::StepTooLarge),
        None => Err(out_of_range::<V>()),
        Some(step) => {
            cmd.arg(step);
            Ok(())
        }
    }
}

/// The new number, or nothing when it would have left the range.
fn new_number<V: Integer>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<V>, Fault> {
    match replies.one() {
        Value::Int(number) => V::from_i64(number).map(Step::Done).ok_or_else(Fault::unexpected),
        reply => value::read::<V>(reply)?.map(Step::Done).ok_or_else(|| Fault::new(out_of_range::<V>())),
    }
}

pub(crate) fn out_of_range<V: Integer>() -> Cause {
    Cause::OutOfRange(Some((V::LOWEST, V::HIGHEST)))
}

pub(crate) fn by_float<K: StringKey<Value: Float>>(key: &K, number: K::Value) -> Command<K::Value> {
    let schema = K::SCHEMA;
    let cmd = script_on_key(key, &lua::COUNT_FLOAT, 3, 88).and_then(|cmd| with_float(cmd, number, schema));
    let cmd = cmd.and_then(|mut cmd| {
        cmd.write_arg_fmt(format_args!("{:e}", K::Value::HIGHEST));
        value::push_expiry(&mut cmd, expiry_of(key)?, schema);
        Ok(cmd)
    });
    Command::script(schema, &lua::COUNT_FLOAT, cmd, new_float::<K::Value>)
}

fn with_float<V: Float>(mut cmd: Cmd, number: V, schema: &'static Schema) -> Result<Cmd, Error> {
    let encoded = V::encode(&number, &mut cmd.writer_for_next_arg());
    match encoded {
        Ok(()) => Ok(cmd),
        Err(stored) => Err(Error::refused(schema, key_of(&cmd, 0), Cause::Encode(stored))),
    }
}

/// The new number, or nothing when it would have left the range.
fn new_float<V: Float>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<V>, Fault> {
    value::read::<V>(replies.one())?.map(Step::Done).ok_or_else(|| Fault::new(Cause::OutOfRange(None)))
}
