//! Encoding values into commands, and decoding them from replies.

use std::io;

use redis::{Cmd, RedisWrite as _, Value};
use redis_keys_core::limits::MAX_MAX_BYTES;

use crate::command::ReplyError;
use crate::error::Cause;
use crate::schema::Schema;
use crate::stored::Stored;

/// Encodes a value, or an element of a collection, as the next argument of the command.
pub(crate) fn push<V: Stored>(cmd: &mut Cmd, value: &V::Input, schema: &Schema) -> Result<(), Cause> {
    let most = most_bytes(schema).unwrap_or(u64::MAX);
    let mut out = Measured { out: cmd.writer_for_next_arg(), bytes: 0, most };
    V::encode(value, &mut out).map_err(Cause::Encode)?;
    if out.bytes > most { Err(Cause::ValueSize { bytes: out.bytes }) } else { Ok(()) }
}

/// The capacity for a value: what the value says it needs, and no more than it may have.
pub(crate) fn capacity<V: Stored>(value: &V::Input, schema: &Schema) -> usize {
    let most = most_bytes(schema).unwrap_or(MAX_MAX_BYTES).min(MAX_MAX_BYTES);
    V::size_hint(value).min(usize::try_from(most).unwrap_or_default())
}

/// The largest size of the value, or of each element.
fn most_bytes(schema: &Schema) -> Option<u64> {
    schema.max_bytes.or(schema.max_member_bytes)
}

/// Counts all bytes, and writes them up to a limit: a value that is far too large does not fill the memory.
struct Measured<W> {
    out: W,
    bytes: u64,
    most: u64,
}

impl<W: io::Write> io::Write for Measured<W> {
    #[inline]
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.write_all(buf)?;
        Ok(buf.len())
    }

    #[inline]
    fn write_all(&mut self, buf: &[u8]) -> io::Result<()> {
        self.bytes = self.bytes.saturating_add(buf.len() as u64);
        if self.bytes > self.most { Ok(()) } else { self.out.write_all(buf) }
    }

    #[inline]
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads a value, or `None` if the key does not exist.
#[inline]
pub(crate) fn read<V: Stored>(reply: Value) -> Result<Option<V::Output>, ReplyError> {
    match reply {
        Value::BulkString(bytes) => decode::<V>(bytes).map(Some),
        Value::Nil => Ok(None),
        other => text_of(other).and_then(decode::<V>).map(Some),
    }
}

/// Reads a value that must exist.
pub(crate) fn read_one<V: Stored>(reply: Value) -> Result<V::Output, ReplyError> {
    read::<V>(reply)?.ok_or_else(ReplyError::unexpected)
}

#[inline]
fn decode<V: Stored>(bytes: Vec<u8>) -> Result<V::Output, ReplyError> {
    let size = bytes.len();
    V::decode(bytes).map_err(|stored| ReplyError::new(Cause::Decode { stored, bytes: Some(size) }))
}

/// The bytes of other kinds of text, with which scripts and proxies reply.
#[cold]
fn text_of(reply: Value) -> Result<Vec<u8>, ReplyError> {
    match reply {
        Value::Int(number) => Ok(number.to_string().into_bytes()),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Ok(text.into_bytes()),
        Value::Okay => Ok(b"OK".to_vec()),
        _ => Err(ReplyError::unexpected()),
    }
}
