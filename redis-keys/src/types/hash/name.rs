//! The names of fields, which are data too.

use redis::{Cmd, Value};

use crate::{
    HashKey,
    command::{Fault, Replies, Sent, Step, replies, value},
    error::Cause,
    stored::Stored,
    types::hash::{FieldInput, FieldOutput},
};

/// Adds the name of a field.
pub(super) fn push<K: HashKey>(cmd: &mut Cmd, field: &FieldInput<K>) -> Result<(), Cause> {
    value::push::<K::Field>(cmd, field, K::SCHEMA).map_err(of_name)
}

/// How many bytes to make room for.
pub(super) fn room<K: HashKey>(field: &FieldInput<K>) -> usize {
    value::room::<K::Field>(field, K::SCHEMA)
}

/// One name in a reply.
pub(super) fn read_one<F: Stored>(reply: Value) -> Result<F::Output, Fault> {
    value::read_one::<F>(reply).map_err(|fault| fault.map(of_name))
}

/// One name or none.
pub(super) fn found<K: HashKey>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Option<FieldOutput<K>>>, Fault> {
    let name = value::read::<K::Field>(replies.one());
    name.map(Step::Done).map_err(|fault| fault.map(of_name))
}

/// Names in a list.
pub(super) fn all_found<K: HashKey>(replies: Replies, _sent: &Sent<'_>) -> Result<Step<Vec<FieldOutput<K>>>, Fault> {
    let names = replies::list(replies.one())?.into_iter().map(read_one::<K::Field>);
    names.collect::<Result<_, _>>().map(Step::Done)
}

/// Says that it is the name that has no form, is too large or does not decode.
#[cold]
fn of_name(cause: Cause) -> Cause {
    match cause {
        Cause::ValueSize { .. } | Cause::Encode(_) | Cause::Decode { .. } => Cause::Name(Box::new(cause)),
        other => other,
    }
}
