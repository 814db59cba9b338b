//! Counting in fields.

use redis::Value;

use super::{FieldInput, field_name::FieldName};
use crate::{
    Command, HashKey,
    command::{Fault, Replies, Sent, Step, arguments::MaxLen, builder::Build as _, value},
    error::Cause,
    lua,
    stored::{Float, Integer, Stored},
    types::string::counting::{StepInRange, out_of_range},
};

/// Counts by a step. A step of `None` is one that does not fit into 64 bits with a sign.
pub(super) fn count_field_by<K: HashKey<Value: Integer>>(
    key: &K,
    field: &FieldInput<K>,
    step: Option<i64>,
) -> Command<K::Value> {
    let arguments = (MaxLen, FieldName::of(key, field), StepInRange::<K::Value>::new(step));
    key.write(&lua::HINCRBY, arguments).reply_one(read_integer::<K::Value>)
}

fn read_integer<V: Integer>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<V>, Fault> {
    match replies.one() {
        Value::Int(number) => V::from_i64(number).map(Step::Done).ok_or_else(Fault::unexpected),
        reply => read_count::<V>(reply, out_of_range::<V>),
    }
}

pub(super) fn read_float<V: Float>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<V>, Fault> {
    read_count::<V>(replies.one(), || Cause::OutOfRange(None))
}

/// Reads the new number, nothing if it would have left the range, or in a list how many fields there would have been.
fn read_count<V: Stored<Output = V>>(reply: Value, out_of_range: fn() -> Cause) -> Result<Step<V>, Fault> {
    if let Value::Array(len) = &reply {
        return Err(match len.as_slice() {
            [Value::Int(len)] => Fault::new(Cause::CollectionSize { len: len.unsigned_abs() }),
            _ => Fault::unexpected(),
        });
    }
    value::read::<V>(reply)?.map(Step::Done).ok_or_else(|| Fault::new(out_of_range()))
}
