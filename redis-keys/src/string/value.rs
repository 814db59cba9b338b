//! A value on its way into a command, and out of a reply.

use std::io;

use redis::{Cmd, RedisWrite as _, Value};
use redis_keys_schema::limits::MAX_MAX_BYTES;

use crate::{Schema, command::Fault, error::Cause, stored::Stored};

/// Encodes the value straight into the command, as its next argument.
pub(super) fn push<V: Stored>(cmd: &mut Cmd, value: &V::Input, schema: &Schema) -> Result<(), Cause> {
    let most = schema.max_bytes.unwrap_or(u64::MAX);
    let mut out = Measured { out: cmd.writer_for_next_arg(), bytes: 0, most };
    V::encode(value, &mut out).map_err(Cause::Encode)?;
    if out.bytes > most { Err(Cause::ValueSize { bytes: out.bytes }) } else { Ok(()) }
}

/// How many bytes to make room for: what the value says it needs, and no more than it may have.
pub(super) fn room<V: Stored>(value: &V::Input, schema: &Schema) -> usize {
    let most = schema.max_bytes.unwrap_or(MAX_MAX_BYTES).min(MAX_MAX_BYTES);
    V::size_hint(value).min(usize::try_from(most).unwrap_or_default())
}

/// Counts all that is written, and keeps it up to a limit: a value that is far too large fills no memory.
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

/// The value in a reply, `None` when there is no key.
#[inline]
pub(super) fn read<V: Stored>(reply: Value) -> Result<Option<V::Output>, Fault> {
    match reply {
        Value::BulkString(bytes) => decode::<V>(bytes).map(Some),
        Value::Nil => Ok(None),
        other => text_of(other).and_then(decode::<V>).map(Some),
    }
}

#[inline]
fn decode<V: Stored>(bytes: Vec<u8>) -> Result<V::Output, Fault> {
    let size = bytes.len();
    V::decode(bytes).map_err(|stored| Fault::new(Cause::Decode { stored, bytes: Some(size) }))
}

/// Scripts and proxies answer with other kinds of text too.
#[cold]
fn text_of(reply: Value) -> Result<Vec<u8>, Fault> {
    match reply {
        Value::Int(number) => Ok(number.to_string().into_bytes()),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Ok(text.into_bytes()),
        Value::Okay => Ok(b"OK".to_vec()),
        _ => Err(Fault::unexpected()),
    }
}
