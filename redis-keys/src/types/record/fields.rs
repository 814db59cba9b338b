//! One field of a record.

use redis::{Arg, Cmd, RedisWrite as _, Value};

use super::{Field, RecordField, RedisHash, reader::undecodable, store::push_ttl, writer::of_field};
use crate::{
    Command, RecordKey,
    command::{Fault, Replies, Sent, Step, flag, old_builder, value},
    error::Cause,
    lua,
    stored::{Integer, Stored, StoredError},
};

/// What a record's key holds.
type Record<K> = <K as RecordKey>::Value;

pub(crate) fn hget<K: RecordKey, V: Stored, P>(key: &K, field: Field<Record<K>, V, P>) -> Command<Option<V::Output>> {
    old_builder::read(key, "HGET", (1, 16), name_of(field), found::<Record<K>, V>)
}

pub(crate) fn hexists<K: RecordKey, V, P>(key: &K, field: Field<Record<K>, V, P>) -> Command<bool> {
    old_builder::read(key, "HEXISTS", (1, 16), name_of(field), flag)
}

pub(crate) fn hdel<K: RecordKey, V, P>(key: &K, field: Field<Record<K>, V, P>) -> Command<bool> {
    old_builder::native(key, "HDEL", (1, 16), name_of(field), flag)
}

pub(crate) fn hset<K: RecordKey, V: Stored, P>(
    key: &K,
    field: Field<Record<K>, V, P>,
    value: &V::Input,
) -> Command<bool> {
    let schema = K::SCHEMA;
    let push = |cmd: &mut Cmd| {
        let declared = field.declared();
        push_ttl(cmd, declared);
        cmd.write_arg(field.name().as_bytes());
        value::push::<V>(cmd, value, schema).map_err(|cause| match declared {
            Some(declared) => of_field(cause, declared),
            None => cause,
        })
    };
    old_builder::write(key, &lua::STORE_FIELD, (3, 32 + value::room::<V>(value, schema)), push, flag)
}

pub(crate) fn hincr<K: RecordKey, V: Integer, P>(
    key: &K,
    field: Field<Record<K>, V, P>,
    number: V,
) -> Command<Option<V>> {
    let push = |cmd: &mut Cmd| {
        push_ttl(cmd, field.declared());
        match number.to_i64() {
            // Minus the lowest number is no number, so there would be no way back from such a step.
            None | Some(i64::MIN) if V::LOWEST == i64::MIN => return Err(Cause::Step),
            None => return Err(out_of_range::<V>()),
            Some(step) => cmd.arg(step).arg(step.saturating_neg()).arg(V::LOWEST).arg(V::HIGHEST),
        };
        cmd.write_arg(field.name().as_bytes());
        Ok(())
    };
    old_builder::write(key, &lua::COUNT_FIELD, (6, 96), push, counted::<Record<K>, V>)
}

/// The field's name as the last argument.
pub(super) fn name_of<R: RedisHash, V, P>(field: Field<R, V, P>) -> impl FnOnce(&mut Cmd) -> Result<(), Cause> {
    move |cmd| {
        cmd.write_arg(field.name().as_bytes());
        Ok(())
    }
}

fn found<R: RedisHash, V: Stored>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Option<V::Output>>, Fault> {
    value::read::<V>(replies.one()).map(Step::Done).map_err(|fault| named::<R>(fault, sent))
}

/// The new number, nothing when it would have left the range, or a list when there is no record or no number.
fn counted<R: RedisHash, V: Integer>(replies: Replies, sent: &Sent<'_>) -> Result<Step<Option<V>>, Fault> {
    match replies.one() {
        Value::Array(list) if list.is_empty() => Ok(Step::Done(None)),
        Value::Array(_) => {
            let stored = StoredError::new("it is no number that Redis can count");
            Err(named::<R>(Fault::new(Cause::Decode { stored, bytes: None }), sent))
        }
        Value::Nil => Err(Fault::new(out_of_range::<V>())),
        reply => value::read::<V>(reply).map(Step::Done).map_err(|fault| named::<R>(fault, sent)),
    }
}

fn out_of_range<V: Integer>() -> Cause {
    Cause::OutOfRange(Some((V::LOWEST, V::HIGHEST)))
}

/// Says which field it is, whose name is the last argument.
#[cold]
fn named<R: RedisHash>(fault: Fault, sent: &Sent<'_>) -> Fault {
    let declared =
        |name: &[u8]| -> Option<&RecordField> { R::FIELDS.iter().find(|field| field.name.as_bytes() == name) };
    match sent.command(0).and_then(|cmd| cmd.args_iter().last()) {
        Some(Arg::Simple(name)) => match declared(name) {
            Some(field) => undecodable(fault, field),
            None => fault,
        },
        _ => fault,
    }
}
