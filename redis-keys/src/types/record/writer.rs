//! A record on its way into a command.

use std::slice;

use redis::{Cmd, RedisWrite as _};

use super::{RecordField, RedisHash};
use crate::{
    command::value,
    error::{Cause, FieldFault},
    schema::Schema,
    stored::Stored,
};

/// What [`RedisHash::write_record`] writes into. It takes the fields in their order.
///
/// Its calls don't fail. The first fault is kept until all is written.
pub struct RecordWriter<'c> {
    fields: slice::Iter<'static, RecordField>,
    schema: &'static Schema,
    to: To<'c>,
}

enum To<'c> {
    /// Nothing: the sizes are added up, so that the command gets its room at once.
    Measure(Room),
    Command {
        cmd: &'c mut Cmd,
        absent: Vec<&'static str>,
        fault: Option<Box<Cause>>,
    },
}

/// How much room a record's names and values need, about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) arguments: usize,
    pub(crate) bytes: usize,
    /// How many fields are not there.
    pub(crate) absent: usize,
}

impl<'c> RecordWriter<'c> {
    pub(crate) fn room<R: RedisHash>(record: &R, schema: &'static Schema) -> Room {
        let to = To::Measure(Room::default());
        let mut writer = RecordWriter { fields: R::FIELDS.iter(), schema, to };
        record.write_record(&mut writer);
        match writer.to {
            To::Measure(room) => room,
            To::Command { .. } => Room::default(),
        }
    }

    /// Adds name and value of each field that is there. Gives the names of those that are not.
    pub(crate) fn write<R: RedisHash>(
        record: &R,
        cmd: &'c mut Cmd,
        schema: &'static Schema,
    ) -> Result<Vec<&'static str>, Cause> {
        let to = To::Command { cmd, absent: Vec::new(), fault: None };
        let mut writer = Self { fields: R::FIELDS.iter(), schema, to };
        record.write_record(&mut writer);
        match writer.to {
            To::Command { fault: Some(fault), .. } => Err(*fault),
            To::Command { absent, .. } => Ok(absent),
            To::Measure(_) => Ok(Vec::new()),
        }
    }

    /// The next field, which may be missing.
    #[inline]
    pub(crate) fn field<V: Stored>(&mut self, value: Option<&V::Input>) {
        let Some(field) = self.fields.next() else { return };
        match (&mut self.to, value) {
            (To::Measure(room), Some(value)) => {
                room.arguments += 2;
                room.bytes += field.name.len() + value::room::<V>(value, self.schema);
            }
            (To::Measure(room), None) => room.absent += 1,
            (To::Command { absent, .. }, None) => absent.push(field.name),
            (To::Command { cmd, fault, .. }, Some(value)) => {
                cmd.write_arg(field.name.as_bytes());
                if let Err(cause) = value::push::<V>(cmd, value, self.schema) {
                    fault.get_or_insert_with(|| Box::new(of_field(cause, field)));
                }
            }
        }
    }
}

/// Says which field it is that has no form or is too large.
#[cold]
pub(super) fn of_field(cause: Cause, field: &RecordField) -> Cause {
    match cause {
        Cause::Encode(stored) => FieldFault::Encode(stored).of(field),
        Cause::ValueSize { bytes } => FieldFault::Size { bytes }.of(field),
        cause => cause,
    }
}
