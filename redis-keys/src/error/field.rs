//! What is wrong with one field of a record.

use std::fmt;

use redis_keys_core::Rule;

use super::{Cause, ErrorKind};
use crate::{schema::Schema, stored::StoredError, types::record::RecordField};

/// A field of a record, and what is wrong with it.
#[derive(Clone)]
pub(crate) struct OfField {
    name: &'static str,
    form: &'static str,
    fault: FieldFault,
}

#[derive(Clone)]
pub(crate) enum FieldFault {
    Missing,
    Size { bytes: u64 },
    Encode(StoredError),
    Decode { stored: StoredError, bytes: Option<usize> },
}

impl FieldFault {
    pub(crate) fn of(self, field: &RecordField) -> Cause {
        Cause::Field(OfField { name: field.name, form: field.form, fault: self })
    }
}

impl OfField {
    pub(super) fn kind(&self) -> ErrorKind {
        match self.fault {
            FieldFault::Missing | FieldFault::Decode { .. } => ErrorKind::Decode,
            FieldFault::Size { .. } => ErrorKind::ValueSize,
            FieldFault::Encode(_) => ErrorKind::Encode,
        }
    }

    pub(super) fn rule(&self) -> Option<Rule> {
        match self.fault {
            FieldFault::Missing => Some(Rule::Record),
            FieldFault::Size { .. } => Some(Rule::ValueSize),
            FieldFault::Decode { .. } => Some(Rule::StoredForm),
            FieldFault::Encode(_) => None,
        }
    }

    /// What is wrong, as one sentence without a full stop.
    pub(super) fn describe(&self, schema: &Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, form, fault } = self;
        match fault {
            FieldFault::Missing => write!(f, "the field `{name}` is missing"),
            FieldFault::Size { bytes } => {
                write!(f, "the field `{name}` has {bytes} bytes")?;
                schema.max_member_bytes.map_or(Ok(()), |most| write!(f, ", and at most {most} are declared"))
            }
            FieldFault::Encode(why) => write!(f, "the field `{name}` cannot be stored as `{form}`: {why}"),
            FieldFault::Decode { stored, bytes } => {
                write!(f, "the field `{name}`")?;
                bytes.map_or(Ok(()), |bytes| write!(f, ", of {bytes} bytes,"))?;
                write!(f, " cannot be read as `{form}`: {stored}")
            }
        }
    }
}
