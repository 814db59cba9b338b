//! Writes records into commands, and reads them from replies.

use std::{iter, slice, vec};

use redis::{Cmd, RedisWrite as _, Value};

use super::{RecordField, RedisHash};
use crate::{
    command::{ReplyError, value},
    error::{Cause, FieldError},
    schema::Schema,
    stored::Stored,
};

/// Receives the fields of a record in their order: [`RedisHash::write_record`].
///
/// Its calls do not fail; the first error is kept.
pub struct RecordWriter<'c> {
    fields: slice::Iter<'static, RecordField>,
    schema: &'static Schema,
    target: Target<'c>,
}

enum Target<'c> {
    /// Adds up the sizes, so that the command can reserve its buffer.
    Measure(RecordSize),
    Command {
        cmd: &'c mut Cmd,
        absent: Vec<&'static str>,
        error: Option<Box<Cause>>,
    },
}

/// The approximate size of a record's names and values in a command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RecordSize {
    pub(crate) arguments: usize,
    pub(crate) bytes: usize,
    /// The number of absent fields.
    pub(crate) absent: usize,
}

impl<'c> RecordWriter<'c> {
    /// Measures a record.
    pub(crate) fn measure<R: RedisHash>(record: &R, schema: &'static Schema) -> RecordSize {
        let target = Target::Measure(RecordSize::default());
        let mut writer = RecordWriter { fields: R::FIELDS.iter(), schema, target };
        record.write_record(&mut writer);
        match writer.target {
            Target::Measure(size) => size,
            Target::Command { .. } => RecordSize::default(),
        }
    }

    /// Adds the name and value of each present field, and returns the names of the absent ones.
    pub(crate) fn write<R: RedisHash>(
        record: &R,
        cmd: &'c mut Cmd,
        schema: &'static Schema,
    ) -> Result<Vec<&'static str>, Cause> {
        let target = Target::Command { cmd, absent: Vec::new(), error: None };
        let mut writer = Self { fields: R::FIELDS.iter(), schema, target };
        record.write_record(&mut writer);
        match writer.target {
            Target::Command { error: Some(cause), .. } => Err(*cause),
            Target::Command { absent, .. } => Ok(absent),
            Target::Measure(_) => Ok(Vec::new()),
        }
    }

    /// Adds the next field, which may be absent.
    #[allow(clippy::arithmetic_side_effects, reason = "what is in memory has fewer bytes than `usize::MAX`")]
    #[inline]
    pub(crate) fn field<V: Stored>(&mut self, value: Option<&V::Input>) {
        let Some(field) = self.fields.next() else { return };
        match (&mut self.target, value) {
            (Target::Measure(size), Some(value)) => {
                size.arguments += 2;
                size.bytes += field.name.len() + value::capacity::<V>(value, self.schema);
            }
            (Target::Measure(size), None) => size.absent += 1,
            (Target::Command { absent, .. }, None) => absent.push(field.name),
            (Target::Command { cmd, error, .. }, Some(value)) => {
                cmd.write_arg(field.name.as_bytes());
                if let Err(cause) = value::push::<V>(cmd, value, self.schema) {
                    error.get_or_insert_with(|| Box::new(field.encode_cause(cause)));
                }
            }
        }
    }
}

/// Returns the fields of a record in their order: [`RedisHash::read_record`].
pub struct RecordReader {
    fields: slice::Iter<'static, RecordField>,
    values: vec::IntoIter<Value>,
}

/// The error of reading a record.
pub struct RecordError(ReplyError);

/// The result of reading a record, or a field of it.
pub type RecordResult<T> = Result<T, RecordError>;

impl RecordReader {
    /// Reads a record from one value for each field, in order. `None` if all of them are nil.
    pub(crate) fn read<R: RedisHash>(values: Vec<Value>) -> Result<Option<R>, ReplyError> {
        if values.len() != R::FIELDS.len() {
            return Err(ReplyError::unexpected());
        }
        if values.iter().all(|value| *value == Value::Nil) {
            return Ok(None);
        }
        Self::read_values(values).map(Some)
    }

    /// Reads a record from names and values in any order. Unknown names are ignored.
    pub(crate) fn read_pairs<R: RedisHash>(pairs: impl Iterator<Item = (Value, Value)>) -> Result<R, ReplyError> {
        let mut values: Vec<_> = iter::repeat_n(Value::Nil, R::FIELDS.len()).collect();
        for (name, value) in pairs {
            let index = R::FIELDS.iter().position(|field| is_name(&name, field.name));
            if let Some(slot) = index.and_then(|index| values.get_mut(index)) {
                *slot = value;
            }
        }
        Self::read_values(values)
    }

    fn read_values<R: RedisHash>(values: Vec<Value>) -> Result<R, ReplyError> {
        let mut reader = Self { fields: R::FIELDS.iter(), values: values.into_iter() };
        R::read_record(&mut reader).map_err(|RecordError(fault)| fault)
    }

    /// Reads the next field, which may be missing.
    pub(crate) fn optional<V: Stored>(&mut self) -> RecordResult<Option<V::Output>> {
        let (field, value) = self.next()?;
        value::read::<V>(value).map_err(|fault| RecordError(field.decode_fault(fault)))
    }

    /// Reads the next field, which must exist.
    pub(crate) fn mandatory<V: Stored>(&mut self) -> RecordResult<V::Output> {
        let (field, value) = self.next()?;
        match value::read::<V>(value) {
            Ok(Some(value)) => Ok(value),
            Ok(None) => Err(RecordError(ReplyError::new(field.cause(FieldError::Missing)))),
            Err(fault) => Err(RecordError(field.decode_fault(fault))),
        }
    }

    fn next(&mut self) -> RecordResult<(&'static RecordField, Value)> {
        self.fields.next().zip(self.values.next()).ok_or_else(|| RecordError(ReplyError::unexpected()))
    }

    /// Fails, for a record that did not compile.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn invalid<T>(&self) -> RecordResult<T> {
        Err(RecordError(ReplyError::unexpected()))
    }
}

/// Servers and protocol versions differ in how they send text.
fn is_name(value: &Value, name: &str) -> bool {
    match value {
        Value::BulkString(bytes) => bytes == name.as_bytes(),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => text == name,
        _ => false,
    }
}

impl RecordField {
    fn cause(&self, error: FieldError) -> Cause {
        Cause::Field { name: self.name, form: self.form, error }
    }

    /// Adds the field to the cause of a value that cannot be encoded or is too large.
    #[cold]
    pub(super) fn encode_cause(&self, cause: Cause) -> Cause {
        match cause {
            Cause::Encode(stored) => self.cause(FieldError::Encode(stored)),
            Cause::ValueSize { bytes } => self.cause(FieldError::Size { bytes }),
            cause => cause,
        }
    }

    /// Adds the field to the fault of a value that cannot be decoded.
    #[cold]
    pub(super) fn decode_fault(&self, fault: ReplyError) -> ReplyError {
        fault.map(|cause| match cause {
            Cause::Decode { stored, bytes } => self.cause(FieldError::Decode { stored, bytes }),
            cause => cause,
        })
    }
}
