//! The names of fields, and their distinction from values in errors.

use redis::{Cmd, Value};

use super::{FieldInput, FieldOutput, Input};
use crate::HashKey;
use crate::command::arguments::{Amount, Arguments, Capacity, value};
use crate::command::value::{push_of_field, read as read_value, read_one};
use crate::command::{DecodeResult, Replies, ReplyContext, ReplyError, Step, reply};
use crate::error::Cause;
use crate::schema::Schema;
use crate::stored::{Stored, StoredError};

/// A field's name, as an argument.
pub(super) struct FieldName<'f, K: HashKey> {
    name: &'f FieldInput<K>,
}

impl<'f, K: HashKey> FieldName<'f, K> {
    /// The key only provides its type.
    #[inline]
    pub(super) fn of(_key: &K, name: &'f FieldInput<K>) -> Self {
        Self { name }
    }
}

impl<K: HashKey> Arguments for FieldName<'_, K> {
    #[inline]
    fn capacity(&self, schema: &'static Schema) -> Capacity {
        value::<K::Field>(self.name).capacity(schema)
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        if K::Field::IS_SECRET {
            return Err(of_name(Cause::Encode(StoredError::new("cannot be encrypted: it is found by its bytes"))));
        }
        value::<K::Field>(self.name).push(cmd, schema).map_err(of_name)
    }
}

/// A field and its value, as arguments.
pub(super) struct Entry<'f, K: HashKey> {
    name: FieldName<'f, K>,
    value: &'f Input<K>,
}

impl<'f, K: HashKey> Entry<'f, K> {
    #[inline]
    pub(super) fn of(key: &K, name: &'f FieldInput<K>, value: &'f Input<K>) -> Self {
        Self { name: FieldName::of(key, name), value }
    }
}

impl<K: HashKey> Arguments for Entry<'_, K> {
    #[inline]
    #[allow(clippy::arithmetic_side_effects, reason = "what is in memory has fewer bytes than `usize::MAX`")]
    fn capacity(&self, schema: &'static Schema) -> Capacity {
        self.name.capacity(schema) + value::<K::Value>(self.value).capacity(schema)
    }

    #[inline]
    fn push(self, cmd: &mut Cmd, schema: &'static Schema) -> Result<Amount, Cause> {
        self.name.push(cmd, schema)?;
        push_of_field::<K::Value>(cmd, self.value, schema).map(|()| Amount::Some)
    }
}

/// Reads a name.
pub(super) fn read<F: Stored>(reply: Value) -> Result<F::Output, ReplyError> {
    read_one::<F>(reply).map_err(|fault| fault.map(of_name))
}

/// Reads a name or none.
pub(super) fn read_optional<K: HashKey>(
    replies: Replies,
    _sent: &ReplyContext<'_>,
) -> DecodeResult<Option<FieldOutput<K>>> {
    let name = read_value::<K::Field>(replies.one());
    name.map(Step::Done).map_err(|fault| fault.map(of_name))
}

/// Reads a list of names.
pub(super) fn read_list<K: HashKey>(replies: Replies, _sent: &ReplyContext<'_>) -> DecodeResult<Vec<FieldOutput<K>>> {
    let names = reply::list(replies.one())?.into_iter().map(read::<K::Field>);
    names.collect::<Result<_, _>>().map(Step::Done)
}

/// Marks an error as belonging to the name: it cannot be encoded, is too large or does not decode.
#[cold]
fn of_name(cause: Cause) -> Cause {
    match cause {
        Cause::ValueSize { .. } | Cause::Encode(_) | Cause::Decode { .. } => Cause::Name(Box::new(cause)),
        other => other,
    }
}
