//! The bytes that calls send and receive.

use redis::Value;

use super::{count, count_failed};
use crate::Error;
use crate::accessor::{Accessor, Outcome};
use crate::redis_rs::Words;
use crate::schema::{Role, Schema};
use crate::stored::cached;

/// The bytes that a call has sent and received. They are only counted if there is a recorder.
#[derive(Default)]
pub(crate) struct Traffic {
    sent: u64,
    received: u64,
    /// Whether a reply has a value.
    has_value: bool,
}

impl Traffic {
    #[inline]
    pub(crate) fn sent<'c>(&mut self, cmd: impl Words<'c>) {
        let (mut bytes, mut number) = (0, 0);
        for word in cmd.words() {
            bytes += length_line(word.len()) + word.len() + 2;
            number += 1;
        }
        self.sent += (length_line(number) + bytes) as u64;
    }

    #[inline]
    pub(crate) fn received(&mut self, reply: &Value, schema: &Schema) {
        self.received += bytes_of(reply) as u64;
        self.has_value |= has_value(reply, matches!(schema.role, Some(Role::Cache(_))));
    }

    /// The outcome of a call that succeeded.
    #[inline]
    pub(crate) fn outcome(&self, accessor: Accessor) -> Outcome {
        if accessor.reads() && !self.has_value { Outcome::Absent } else { Outcome::Ok }
    }

    /// Counts a call of a batch, by its error if it has one.
    #[inline]
    pub(crate) fn count(&self, accessor: Accessor, schema: &'static Schema, error: Option<&Error>) {
        match error {
            None => count(accessor, schema, self.outcome(accessor), self),
            Some(error) => count_failed(accessor, schema, error, self),
        }
    }

    #[inline]
    pub(super) fn bytes(&self) -> [u64; 2] {
        [self.sent, self.received]
    }
}

/// The length of a line such as `$12\r\n`.
#[inline]
fn length_line(number: usize) -> usize {
    match number {
        0..10 => 4,
        10..100 => 5,
        _ => number.ilog10() as usize + 4,
    }
}

/// The length of all texts and values in a reply.
fn bytes_of(reply: &Value) -> usize {
    match reply {
        Value::BulkString(bytes) => bytes.len(),
        Value::VerbatimString { text, .. } => text.len(),
        Value::Array(values) | Value::Set(values) => values.iter().map(bytes_of).sum(),
        Value::Map(pairs) => pairs.iter().map(|(name, value)| bytes_of(name) + bytes_of(value)).sum(),
        _ => 0,
    }
}

/// Whether a read has found something. The markers and times of cached keys do not count as values, and BITPOS replies
/// -1 if it finds no bit.
fn has_value(reply: &Value, is_cached: bool) -> bool {
    match reply {
        Value::Nil | Value::Int(-1) => false,
        Value::Int(_) if is_cached => false,
        Value::BulkString(bytes) if is_cached => cached::has_value(bytes),
        Value::Array(values) | Value::Set(values) => values.iter().any(|value| has_value(value, is_cached)),
        Value::Map(pairs) => !pairs.is_empty(),
        _ => true,
    }
}
