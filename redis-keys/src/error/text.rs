//! The sentences of errors.

use std::{
    error::{self, Error as _},
    fmt, io,
    sync::Arc,
};

use redis::RedisError;

use super::{Cause, cause::ExpiryFault};
use crate::{Schema, key::KeyFault};

/// What went wrong, as one sentence without a full stop.
pub(super) fn describe(cause: &Cause, schema: &Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let value = schema.value.unwrap_or("the value");
    match cause {
        Cause::Key(fault) => describe_key(*fault, schema, f),
        Cause::ValueSize { bytes } => {
            write!(f, "the value has {bytes} bytes")?;
            schema.max_bytes.map_or(Ok(()), |most| write!(f, ", and at most {most} are declared"))
        }
        Cause::Encode(why) => write!(f, "the value cannot be stored as `{value}`: {why}"),
        Cause::Decode { stored, bytes } => {
            write!(f, "the {} there", schema.kind)?;
            bytes.map_or(Ok(()), |bytes| write!(f, ", of {bytes} bytes,"))?;
            write!(f, " cannot be read as `{value}`: {stored}")
        }
        Cause::Expiry(ExpiryFault::Past) => f.write_str("the expiry asked for is over at once"),
        Cause::Expiry(ExpiryFault::TooLong) => {
            let declared = schema.expiry.ttl().unwrap_or_default();
            write!(f, "the expiry asked for is longer than the declared one of {declared:?}")
        }
        Cause::OutOfRange(Some((lowest, highest))) => {
            write!(f, "the count would leave the range from {lowest} to {highest}; it is unchanged")
        }
        Cause::OutOfRange(None) => f.write_str("the count would no longer be a finite number; it is unchanged"),
        Cause::WrongType { found: Some(found) } => {
            write!(f, "there is a {found} under this key, and a {} is declared", schema.kind)
        }
        Cause::WrongType { found: None } => {
            write!(f, "there is something else than the declared {} under this key", schema.kind)
        }
        Cause::Server { code, detail: None } => write!(f, "the server answered {code}"),
        Cause::Server { code, detail: Some(detail) } => write!(f, "the server answered {code} {detail}"),
        Cause::UnexpectedReply => f.write_str("the server's answer is none that the command can have"),
        Cause::Connection { source } => describe_connection(source.as_ref(), f),
    }
}

fn describe_key(fault: KeyFault, schema: &Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match schema.parameters.get(fault.parameter) {
        Some(parameter) => write!(f, "parameter `{}` ", parameter.name)?,
        None => f.write_str("the key ")?,
    }
    fault.kind.describe(f)
}

fn describe_connection(source: Option<&RedisError>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("the connection failed")?;
    // The kind alone: the whole story is the error's source.
    match source.and_then(io_error) {
        Some(error) => write!(f, ": {}", error.kind()),
        None => Ok(()),
    }
}

/// The error inside, which redis-rs shares among all who wait for the same connection.
fn io_error(error: &RedisError) -> Option<&io::Error> {
    let source = error.source()?;
    let shared = source.downcast_ref::<Arc<dyn error::Error + Send + Sync>>();
    shared.map_or_else(|| source.downcast_ref(), |shared| shared.downcast_ref())
}
