//! Encoding values into commands, and decoding them from replies.

use std::io;

use redis::{Cmd, RedisWrite as _, Value};
use redis_keys_core::Kind;
use redis_keys_core::limits::MAX_MAX_BYTES;

use super::table::{keys_of, words};
use crate::command::{ReplyContext, ReplyError};
use crate::error::Cause;
use crate::redis_rs::Words;
use crate::schema::{Role, Schema};
use crate::stored::cached::write_stale_times;
use crate::stored::{Binding, Stored, StoredError};

/// Encodes a value, or an element of a collection, as the next argument of the command.
pub(crate) fn push<V: Stored>(cmd: &mut Cmd, value: &V::Input, schema: &'static Schema) -> Result<(), Cause> {
    let place = if V::IS_SECRET { Some(binding(&*cmd, schema, 0, b"")) } else { None };
    push_at::<V>(cmd, value, schema, place)
}

/// Encodes a field's value; the field's name is the last argument.
pub(crate) fn push_of_field<V: Stored>(cmd: &mut Cmd, value: &V::Input, schema: &'static Schema) -> Result<(), Cause> {
    let place =
        if V::IS_SECRET { Some(binding(&*cmd, schema, 0, words(&*cmd).last().unwrap_or_default())) } else { None };
    push_at::<V>(cmd, value, schema, place)
}

#[inline]
fn push_at<V: Stored>(
    cmd: &mut Cmd,
    value: &V::Input,
    schema: &'static Schema,
    place: Option<Result<Binding, StoredError>>,
) -> Result<(), Cause> {
    let most = most_bytes(schema).unwrap_or(u64::MAX);
    let mut argument = cmd.writer_for_next_arg();
    if V::IS_CACHED {
        // Written before the measurement: these times do not belong to the value.
        write_stale_times(schema, &mut argument).map_err(|error| Cause::Encode(StoredError::from_io(error)))?;
    }
    let mut out = MeasuringWriter { out: argument, bytes: 0, most };
    match place {
        None => V::encode(value, &mut out),
        Some(place) => place.and_then(|place| V::encode_bound(value, &place, &mut out)),
    }
    .map_err(Cause::Encode)?;
    if out.bytes > most { Err(Cause::ValueSize { bytes: out.bytes }) } else { Ok(()) }
}

/// Checks that the keys for decrypting values are installed.
#[inline]
pub(crate) fn check_readable<V: Stored>() -> Result<(), Cause> {
    match missing_keys().filter(|_| V::IS_SECRET) {
        Some(why) => Err(Cause::Decode { stored: StoredError::new(why), bytes: None }),
        None => Ok(()),
    }
}

/// Returns the reason why nothing can be decrypted yet.
#[inline]
fn missing_keys() -> Option<&'static str> {
    #[cfg(feature = "secret")]
    return crate::secret::installed().err();
    #[cfg(not(feature = "secret"))]
    None
}

/// Returns the binding of a value to a key of the command, counted from 0, and to a field.
fn binding<'c>(cmd: impl Words<'c>, schema: &'static Schema, key: usize, field: &[u8]) -> Result<Binding, StoredError> {
    // The schema rejects this, unless an alias hides the form.
    let is_jobs = matches!(schema.role, Some(Role::Jobs(_)));
    if matches!(schema.kind, Kind::Set | Kind::ZSet | Kind::Geo | Kind::HyperLogLog) && !is_jobs {
        return Err(StoredError::new("members cannot be encrypted: they are found by their bytes"));
    }
    Binding::new(schema, keys_of(cmd).nth(key).unwrap_or_default(), field)
}

/// The place from which a value is read: a key of a sent command, and a field.
#[derive(Clone, Copy)]
pub(crate) struct Place<'s> {
    sent: &'s ReplyContext<'s>,
    command: usize,
    key: usize,
    field: &'s [u8],
}

impl<'s> Place<'s> {
    /// The first key of the first command.
    #[inline]
    pub(crate) fn new(sent: &'s ReplyContext<'s>) -> Self {
        Self { sent, command: 0, key: 0, field: b"" }
    }

    /// A key of one of several commands.
    #[inline]
    pub(crate) fn of_key(sent: &'s ReplyContext<'s>, command: usize, key: usize) -> Self {
        Self { sent, command, key, field: b"" }
    }

    /// The field named by the first command's last argument.
    #[inline]
    pub(crate) fn of_last_field(sent: &'s ReplyContext<'s>) -> Self {
        let last = sent.command(0).and_then(|cmd| cmd.words().last());
        Self::new(sent).of_field(last.unwrap_or_default())
    }

    #[inline]
    pub(crate) fn of_field(self, field: &'s [u8]) -> Self {
        Self { field, ..self }
    }

    fn binding(self) -> Result<Binding, StoredError> {
        match self.sent.command(self.command) {
            Some(cmd) => binding(cmd, self.sent.schema, self.key, self.field),
            None => Binding::new(self.sent.schema, b"", self.field),
        }
    }
}

/// The capacity for a value: its own estimate, limited to the declared size.
pub(crate) fn capacity<V: Stored>(value: &V::Input, schema: &'static Schema) -> usize {
    let most = most_bytes(schema).unwrap_or(MAX_MAX_BYTES).min(MAX_MAX_BYTES);
    V::size_hint(value).min(usize::try_from(most).unwrap_or_default())
}

/// The largest size of the value, or of each element.
fn most_bytes(schema: &Schema) -> Option<u64> {
    schema.max_bytes.or(schema.max_member_bytes)
}

/// Counts all bytes, but writes them only up to a limit, so that a far too large value does not fill the memory.
struct MeasuringWriter<W> {
    out: W,
    bytes: u64,
    most: u64,
}

impl<W: io::Write> io::Write for MeasuringWriter<W> {
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

/// Reads a value that is never encrypted, for example a member; `None` if there is none.
#[inline]
pub(crate) fn read<V: Stored>(reply: Value) -> Result<Option<V::Output>, ReplyError> {
    read_with(reply, V::decode)
}

/// Reads such a value, which must exist.
pub(crate) fn read_one<V: Stored>(reply: Value) -> Result<V::Output, ReplyError> {
    read::<V>(reply)?.ok_or_else(ReplyError::unexpected)
}

/// Reads a value, or `None` if the key does not exist.
#[inline]
pub(crate) fn read_at<V: Stored>(reply: Value, place: Place<'_>) -> Result<Option<V::Output>, ReplyError> {
    if V::IS_SECRET {
        return read_with(reply, |bytes| V::decode_bound(bytes, &place.binding()?));
    }
    read::<V>(reply)
}

/// Reads a value that must exist.
pub(crate) fn read_one_at<V: Stored>(reply: Value, place: Place<'_>) -> Result<V::Output, ReplyError> {
    read_at::<V>(reply, place)?.ok_or_else(ReplyError::unexpected)
}

#[inline]
fn read_with<T>(reply: Value, decode: impl FnOnce(Vec<u8>) -> Result<T, StoredError>) -> Result<Option<T>, ReplyError> {
    let bytes = match reply {
        Value::BulkString(bytes) => bytes,
        Value::Nil => return Ok(None),
        other => text_of(other)?,
    };
    let size = bytes.len();
    let value = decode(bytes).map_err(|stored| ReplyError::new(Cause::Decode { stored, bytes: Some(size) }))?;
    Ok(Some(value))
}

/// Returns the bytes of other kinds of text, which scripts and proxies send.
#[cold]
fn text_of(reply: Value) -> Result<Vec<u8>, ReplyError> {
    match reply {
        Value::Int(number) => Ok(number.to_string().into_bytes()),
        Value::SimpleString(text) | Value::VerbatimString { text, .. } => Ok(text.into_bytes()),
        Value::Okay => Ok(b"OK".to_vec()),
        _ => Err(ReplyError::unexpected()),
    }
}
