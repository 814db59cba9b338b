//! A record out of replies.

use std::{iter, slice, vec};

use redis::Value;

use super::{RecordField, RedisHash};
use crate::{
    command::{Fault, value},
    error::{Cause, FieldFault},
    stored::Stored,
};

/// What [`RedisHash::read_record`] reads from. It gives the fields in their order.
pub struct RecordReader {
    fields: slice::Iter<'static, RecordField>,
    values: vec::IntoIter<Value>,
}

/// Why a record cannot be read.
pub struct RecordFault(Fault);

/// What is read of a record.
pub type Read<T> = Result<T, RecordFault>;

impl RecordReader {
    /// The record of these values, one for each field in its order. `None` where there is not one value.
    pub(crate) fn read<R: RedisHash>(values: Vec<Value>) -> Result<Option<R>, Fault> {
        if values.len() != R::FIELDS.len() {
            return Err(Fault::unexpected());
        }
        if values.iter().all(|value| *value == Value::Nil) {
            return Ok(None);
        }
        Self::read_there(values).map(Some)
    }

    /// The record of names and values that follow each other in any order. What is of no field is left out.
    pub(crate) fn read_pairs<R: RedisHash>(pairs: impl Iterator<Item = (Value, Value)>) -> Result<R, Fault> {
        let mut values: Vec<_> = iter::repeat_n(Value::Nil, R::FIELDS.len()).collect();
        for (name, found) in pairs {
            let number = R::FIELDS.iter().position(|field| is_name(&name, field.name));
            if let Some(value) = number.and_then(|number| values.get_mut(number)) {
                *value = found;
            }
        }
        Self::read_there(values)
    }

    /// The record of these values, also where there is not one.
    fn read_there<R: RedisHash>(values: Vec<Value>) -> Result<R, Fault> {
        let mut reader = Self { fields: R::FIELDS.iter(), values: values.into_iter() };
        R::read_record(&mut reader).map_err(|RecordFault(fault)| fault)
    }

    /// The next field, which may be missing.
    pub(crate) fn optional<V: Stored>(&mut self) -> Read<Option<V::Output>> {
        let (field, value) = self.next()?;
        value::read::<V>(value).map_err(|fault| RecordFault(undecodable(fault, field)))
    }

    /// The next field, which has to be there.
    pub(crate) fn mandatory<V: Stored>(&mut self) -> Read<V::Output> {
        let (field, value) = self.next()?;
        match value::read::<V>(value) {
            Ok(Some(found)) => Ok(found),
            Ok(None) => Err(missing(field)),
            Err(fault) => Err(RecordFault(undecodable(fault, field))),
        }
    }

    fn next(&mut self) -> Read<(&'static RecordField, Value)> {
        self.fields.next().zip(self.values.next()).ok_or_else(|| RecordFault(Fault::unexpected()))
    }

    /// What stands where a record was refused by the compiler.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn refused<T>(&self) -> Read<T> {
        Err(RecordFault(Fault::unexpected()))
    }
}

/// Names come as text of several kinds.
fn is_name(found: &Value, name: &str) -> bool {
    match found {
        Value::BulkString(bytes) => bytes == name.as_bytes(),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => text == name,
        _ => false,
    }
}

#[cold]
fn missing(field: &RecordField) -> RecordFault {
    RecordFault(Fault::new(FieldFault::Missing.of(field)))
}

/// Says which field it is that does not decode.
#[cold]
pub(super) fn undecodable(fault: Fault, field: &RecordField) -> Fault {
    fault.map(|cause| match cause {
        Cause::Decode { stored, bytes } => FieldFault::Decode { stored, bytes }.of(field),
        other => other,
    })
}
