//! The sentences of errors.

use std::{
    error::{self, Error as _},
    fmt, io,
    sync::Arc,
};

use redis::RedisError;
use redis_keys_core::{Kind, duration};

use super::{Cause, cause::ExpiryFault, server::Refusal};
use crate::{
    key::InvalidKey,
    schema::{ParameterForm, Schema},
};

/// What went wrong, as one sentence without a full stop.
pub(super) fn describe(cause: &Cause, schema: &Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let value = schema.value.unwrap_or("the value");
    match cause {
        Cause::Key(fault) => describe_key(*fault, schema, f),
        Cause::Parse(fault) => {
            f.write_str("the text is no such key: ")?;
            fault.describe(schema.parameters, f)
        }
        Cause::ValueSize { .. } | Cause::Encode(_) => describe_value(cause, part(schema), value, schema, f),
        Cause::BitmapSize { bit, bytes } => {
            write!(f, "bit {bit} needs {bytes} bytes")?;
            schema.max_bytes.map_or(Ok(()), |most| write!(f, ", and at most {most} are declared"))
        }
        Cause::BitValue(int) => write!(f, "the number does not fit into {int}"),
        Cause::CollectionSize { len } => {
            let what = if schema.kind == Kind::Hash { "fields" } else { "elements" };
            write!(f, "there would be {len} {what}")?;
            schema.max_len.map_or(Ok(()), |most| write!(f, ", and at most {most} are declared"))?;
            f.write_str("; nothing has changed")
        }
        Cause::TooMany { most } => write!(f, "one call takes at most {most} elements; make several calls"),
        Cause::Decode { .. } => describe_value(cause, read_part(schema), value, schema, f),
        Cause::Name(cause) => {
            describe_value(cause, "the name of a field", schema.field.unwrap_or("the name"), schema, f)
        }
        Cause::Field(field) => field.describe(schema, f),
        Cause::Entry { id, cause } => {
            write!(f, "in the entry {id} ")?;
            describe(cause, schema, f)
        }
        Cause::Argument(why) => f.write_str(why),
        Cause::Expiry(ExpiryFault::Past) => f.write_str("the expiry asked for is over at once"),
        Cause::Expiry(ExpiryFault::Over) => {
            let span = schema.ttl_from_end_of.unwrap_or("span");
            let ttl = duration::render(schema.expiry.ttl().unwrap_or_default());
            write!(f, "its time is over: it expires {ttl} after the end of its {span}, and would have been gone at once")
        }
        Cause::Expiry(ExpiryFault::TooLong) => describe_too_long(schema, f),
        Cause::OutOfRange(Some((lowest, highest))) => {
            write!(f, "the count would leave the range from {lowest} to {highest}; it is unchanged")
        }
        Cause::OutOfRange(None) => write!(f, "the count would leave the range of `{value}`; it is unchanged"),
        Cause::Step => f.write_str("a count cannot move by so much in one step; it is unchanged"),
        Cause::Contended { attempts } => {
            write!(f, "others changed the value each of the {attempts} times that it was to be updated; it is theirs")
        }
        Cause::PartOfCluster => f.write_str(
            "this connection would find a part of the keys of a cluster; lend the cluster's own connection, \
             with the features `cluster` and `cluster-async`",
        ),
        Cause::Restless => f.write_str(
            "the cluster's slots kept moving from node to node, or the connection does not reach all nodes that serve them; \
             some keys may be missing, so scan again when the cluster is settled",
        ),
        Cause::NoTransactions => f.write_str(
            "a cluster's synchronous connection takes no atomic groups; its asynchronous one does",
        ),
        Cause::OtherSlot => f.write_str(
            "the keys of an atomic group have the same hash tag, as in `cart:{#id}:items:list` and `cart:{#id}:sum:string`, \
             and this one has another than those before it",
        ),
        Cause::ScoreSum => f.write_str("the score would be no number; it is unchanged"),
        Cause::NoMember => f.write_str("the member from which the search starts is not there"),
        Cause::WrongType { found: Some(found) } => {
            write!(f, "there is a {found} under this key, and a {} is declared", schema.kind)
        }
        Cause::WrongType { found: None } => {
            write!(f, "there is something else than the declared {} under this key", schema.kind)
        }
        Cause::OneWrongType => {
            write!(f, "there is something else than a {} under this key or another one of this command", schema.kind)
        }
        Cause::Server { refusal, to } => describe_refusal(*refusal, to.as_deref(), f),
        Cause::UnexpectedReply => f.write_str("the server's answer is none that the command can have"),
        Cause::Connection(error) => describe_connection(error, f),
    }
}

fn describe_too_long(schema: &Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(declared) = schema.expiry.ttl() else {
        return f.write_str("the expiry asked for is longer than Redis can count");
    };
    write!(f, "the expiry asked for is longer than the declared one of {}", duration::render(declared))?;
    schema.ttl_from_end_of.map_or(Ok(()), |span| write!(f, " after the end of its {span}"))
}

/// What is too large or has no form.
fn part(schema: &Schema) -> &'static str {
    match schema.kind {
        Kind::Hash => "the value of a field",
        kind if kind.is_collection() => "an element",
        _ => "the value",
    }
}

/// What does not decode.
fn read_part(schema: &Schema) -> &'static str {
    match schema.kind {
        Kind::String => "the string there",
        Kind::Hash => "the value of a field there",
        _ => "an element there",
    }
}

/// What is wrong with one value, or one name.
fn describe_value(cause: &Cause, what: &str, form: &str, schema: &Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match cause {
        Cause::ValueSize { bytes } => {
            write!(f, "{what} has {bytes} bytes")?;
            let most = schema.max_bytes.or(schema.max_member_bytes);
            most.map_or(Ok(()), |most| write!(f, ", and at most {most} are declared"))
        }
        Cause::Encode(why) => write!(f, "{what} cannot be stored as `{form}`: {why}"),
        Cause::Decode { stored, bytes } => {
            f.write_str(what)?;
            bytes.map_or(Ok(()), |bytes| write!(f, ", of {bytes} bytes,"))?;
            write!(f, " cannot be read as `{form}`: {stored}")
        }
        _ => f.write_str(what),
    }
}

fn describe_key(fault: InvalidKey, schema: &Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let parameter = schema.parameters.get(fault.parameter);
    match parameter {
        Some(parameter) => write!(f, "parameter `{}` ", parameter.name)?,
        None => f.write_str("the key ")?,
    }
    fault.problem.describe_in(parameter.map_or(ParameterForm::Plain, |parameter| parameter.form), f)
}

fn describe_refusal(refusal: Option<Refusal>, to: Option<&str>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(Refusal { code, meaning }) = refusal else {
        return f.write_str("the server answered with an error; its text is not told, since it could hold a value");
    };
    write!(f, "the server answered {code}: {meaning}")?;
    to.map_or(Ok(()), |to| write!(f, " ({to})"))
}

fn describe_connection(error: &RedisError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    // The kind alone: the whole story is the error's source.
    match io_error(error).map(io::Error::kind) {
        // Which of the two it is depends on the platform.
        Some(io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
            f.write_str("the connection failed: no answer in time")
        }
        Some(kind) => write!(f, "the connection failed: {kind}"),
        None => write!(f, "the connection failed: {}", error.category()),
    }
}

/// The error inside, which redis-rs shares among all who wait for the same connection.
fn io_error(error: &RedisError) -> Option<&io::Error> {
    let source = error.source()?;
    let shared = source.downcast_ref::<Arc<dyn error::Error + Send + Sync>>();
    shared.map_or_else(|| source.downcast_ref(), |shared| shared.downcast_ref())
}
