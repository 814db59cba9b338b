//! Counting in one field.

use redis::{Cmd, RedisWrite as _, Value};

use super::name;
use crate::{
    Command, HashKey,
    command::{
        Fault, Replies, Sent, Step,
        old_builder::{push_max_len, write},
        value,
    },
    error::Cause,
    lua,
    stored::{Float, Integer, Stored},
    types::{
        hash::FieldInput,
        string::counting::{StepInRange, out_of_range},
    },
};

pub(crate) fn up<K: HashKey<Value: Integer>>(key: &K, field: &FieldInput<K>, number: K::Value) -> Command<K::Value> {
    count(key, field, number.to_i64())
}

pub(crate) fn down<K: HashKey<Value: Integer>>(key: &K, field: &FieldInput<K>, number: K::Value) -> Command<K::Value> {
    count(key, field, number.to_i64().and_then(i64::checked_neg))
}

/// A step that does not fit into 64 bits with a sign is one that no count can make.
fn count<K: HashKey<Value: Integer>>(key: &K, field: &FieldInput<K>, step: Option<i64>) -> Command<K::Value> {
    let push = |cmd: &mut Cmd| {
        push_max_len(cmd, K::SCHEMA);
        name::push::<K>(cmd, field)?;
        crate::command::arguments::Arguments::push(StepInRange::<K::Value>::new(step), cmd, K::SCHEMA)?;
        Ok(())
    };
    write(key, &lua::HINCRBY, (6, 88 + name::room::<K>(field)), push, new_number::<K::Value>)
}

pub(crate) fn by_float<K: HashKey<Value: Float>>(
    key: &K,
    field: &FieldInput<K>,
    number: K::Value,
) -> Command<K::Value> {
    let push = |cmd: &mut Cmd| {
        push_max_len(cmd, K::SCHEMA);
        name::push::<K>(cmd, field)?;
        value::push::<K::Value>(cmd, &number, K::SCHEMA)?;
        cmd.write_arg_fmt(format_args!("{:e}", K::Value::HIGHEST));
        Ok(())
    };
    write(key, &lua::HINCRBYFLOAT, (4, 64 + name::room::<K>(field)), push, new_float::<K::Value>)
}

fn new_number<V: Integer>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<V>, Fault> {
    match replies.one() {
        Value::Int(number) => V::from_i64(number).map(Step::Done).ok_or_else(Fault::unexpected),
        reply => counted::<V>(reply, out_of_range::<V>),
    }
}

fn new_float<V: Float>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<V>, Fault> {
    counted::<V>(replies.one(), || Cause::OutOfRange(None))
}

/// The new number; nothing when it would have left the range; or in a list how many fields there would have been.
fn counted<V: Stored<Output = V>>(reply: Value, out_of_range: fn() -> Cause) -> Result<Step<V>, Fault> {
    if let Value::Array(len) = &reply {
        return Err(match len.as_slice() {
            [Value::Int(len)] => Fault::new(Cause::CollectionSize { len: len.unsigned_abs() }),
            _ => Fault::unexpected(),
        });
    }
    value::read::<V>(reply)?.map(Step::Done).ok_or_else(|| Fault::new(out_of_range()))
}
