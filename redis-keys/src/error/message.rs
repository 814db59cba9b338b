//! The messages of errors: a subject, the declaration with its key, the problem and the remedy, and the rule.

use std::error::{self, Error as _};
use std::sync::Arc;
use std::{fmt, io};

use redis::RedisError;
use redis_keys_core::limits::MAX_MAX_BYTES;
use redis_keys_core::{Kind, duration};

use super::Cause;
use super::cause::{ExpiryError, FieldError, ServerReply};
use crate::schema::{Keep, ParameterForm, Role, Schema};
use crate::stored::StoredError;

/// Writes the subject of the message, up to the declaration: `` parameter `user` of ``.
pub(super) fn write_subject(cause: &Cause, schema: &'static Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str(match cause {
        Cause::Key(invalid) => {
            if let Some(parameter) = schema.parameters.get(invalid.parameter) {
                return write!(f, "parameter `{}` of ", parameter.name);
            }
            "key of "
        }
        Cause::BitmapSize { bit, .. } => return write!(f, "bit {bit} of "),
        Cause::Field { name, .. } => return write!(f, "field `{name}` of "),
        Cause::Entry { id, cause } => {
            write_subject(cause, schema, f)?;
            return write!(f, "entry {id} of ");
        }
        Cause::ValueSize { .. } | Cause::Encode(_) | Cause::Decode { .. } => match schema.kind {
            Kind::Hash => "field value of ",
            kind if kind.is_collection() => "element of ",
            _ => "value of ",
        },
        Cause::Parse(_) => "text is not a key of ",
        Cause::Name(_) => "field name of ",
        Cause::BitValue(_) => "argument of ",
        Cause::CollectionSize { .. } => "write to ",
        Cause::LargeCollection { .. } | Cause::CollectedBytes { .. } => "collection of ",
        Cause::Expiry(_) => "expiry of ",
        Cause::OutOfRange(_) | Cause::StepTooLarge | Cause::ScoreSum => "increment of ",
        Cause::Contended { .. } => "update of ",
        Cause::TimedOut { .. } => "lock ",
        Cause::UnstableTopology => "scan of ",
        Cause::NoTransactions => "atomic group with ",
        Cause::NoMember => "search in ",
        Cause::OtherSlot | Cause::WrongType { .. } | Cause::WrongTypeAmongKeys => "key of ",
        Cause::TooMany { .. }
        | Cause::Argument(_)
        | Cause::PartOfCluster
        | Cause::Server { .. }
        | Cause::UnexpectedReply
        | Cause::Connection(_) => "command on ",
    })
}

/// Writes the predicate that follows the declaration.
pub(super) fn write_problem(cause: &Cause, schema: &'static Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let unnamed = if matches!(schema.role, Some(Role::Limit(_))) { "limit" } else { "the declared form" };
    let form = schema.value.unwrap_or(unnamed);
    match cause {
        Cause::Key(invalid) => {
            let parameter = schema.parameters.get(invalid.parameter);
            f.write_str(" ")?;
            invalid.problem.describe_in(parameter.map_or(ParameterForm::Plain, |parameter| parameter.form), f)
        }
        Cause::Parse(error) => {
            f.write_str(": ")?;
            error.describe(schema.parameters, f)
        }
        Cause::Name(cause) => write_value_problem(cause, schema.field.unwrap_or("the declared form"), schema, f),
        Cause::ValueSize { .. } | Cause::Encode(_) | Cause::Decode { .. } => {
            write_value_problem(cause, form, schema, f)
        }
        Cause::BitmapSize { bytes, .. } => write_bytes("max_bytes", *bytes, schema.max_bytes, f),
        Cause::BitValue(integer) => write!(f, " does not fit in `{integer}`"),
        Cause::CollectionSize { len } => {
            write_size("max_len", *len, schema.max_len, elements(schema.kind), f)?;
            f.write_str("; nothing was changed")
        }
        Cause::LargeCollection { len, most } => {
            let option = match schema.keep {
                None => "max_len",
                Some(Keep::Top(_)) => "keep_top",
                Some(_) => "keep_last",
            };
            match len {
                Some(len) => write_size(option, *len, Some(*most), elements(schema.kind), f)?,
                None => write!(f, " exceeds `{option}`: more than {most} {}", elements(schema.kind))?,
            }
            f.write_str(
                "; it was written by another program or under a higher limit: iterate instead of collecting, or `purge` it",
            )
        }
        Cause::CollectedBytes { most } => write!(
            f,
            " takes more than {most} bytes: iterate instead of collecting, or set `max_bytes` of the scan"
        ),
        Cause::TooMany { most } => {
            write!(f, " exceeds the limit of {most} elements per call: split it into several calls")
        }
        Cause::Field { form, error, .. } => match error {
            FieldError::Missing => f.write_str(" is missing"),
            FieldError::Size { bytes } => write_bytes("max_member_bytes", *bytes, schema.max_member_bytes, f),
            FieldError::Encode(stored) => write_encode(form, *stored, f),
            FieldError::Decode { stored, bytes } => write_decode(form, *stored, *bytes, f),
        },
        Cause::Entry { cause, .. } => write_problem(cause, schema, f),
        Cause::Argument(why) => write!(f, " has an invalid argument: {why}"),
        Cause::Expiry(error) => write_expiry(*error, schema, f),
        Cause::OutOfRange(Some((lowest, highest))) => {
            write!(f, " leaves the range from {lowest} to {highest}; nothing was changed")
        }
        Cause::OutOfRange(None) => write!(f, " leaves the range of `{form}`; nothing was changed"),
        Cause::StepTooLarge => f.write_str(" cannot be applied in one step: split it into several"),
        Cause::Contended { attempts } => write!(f, " gave up after {attempts} concurrent changes"),
        Cause::TimedOut { within } => {
            write!(f, " was not acquired within {}: others held it", duration::render(*within))
        }
        Cause::PartOfCluster => f.write_str(
            " needs a connection to the whole cluster: pass the cluster connection, with the feature `cluster`",
        ),
        Cause::UnstableTopology => f.write_str(
            " may be incomplete: slots kept moving between nodes, or the connection does not reach every node; scan again \
             when the topology is stable",
        ),
        Cause::NoTransactions => {
            f.write_str(" is not supported by synchronous cluster connections: use the asynchronous one")
        }
        Cause::OtherSlot => write_hash_tag(schema, f),
        Cause::ScoreSum => f.write_str(" results in NaN; nothing was changed"),
        Cause::NoMember => f.write_str(" starts from a member that does not exist"),
        Cause::WrongType { found: Some(found) } => {
            write!(f, " holds a {found}, but a {} is declared", schema.kind)
        }
        Cause::WrongType { found: None } => write!(f, " holds another type than the declared {}", schema.kind),
        Cause::WrongTypeAmongKeys => {
            write!(f, ", or another key of the command, holds another type than the declared {}", schema.kind)
        }
        Cause::Server { reply: Some(ServerReply { code: "CROSSSLOT", .. }), .. }
            if schema.legacy.or(schema.formerly).is_some() =>
        {
            f.write_str(
                " failed: the server replied CROSSSLOT: its two names are in different slots, and nothing was changed; on a \
                 cluster only names with the same hash tag can be taken over",
            )
        }
        Cause::Server { reply: Some(ServerReply { code, meaning }), redirect } => {
            write!(f, " failed: the server replied {code}: {meaning}")?;
            redirect.as_ref().map_or(Ok(()), |node| write!(f, " ({node})"))
        }
        Cause::Server { reply: None, .. } => f.write_str(
            " failed: the server replied with an error, whose text is withheld because it can contain values",
        ),
        Cause::UnexpectedReply => f.write_str(" received an unexpected reply"),
        Cause::Connection(error) => write!(f, " failed: connection error: {}", connection_error(error)),
    }
}

/// Writes why a key cannot join an atomic group, and the remedy.
fn write_hash_tag(schema: &'static Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if schema.legacy.or(schema.formerly).is_some() {
        let name = schema.legacy.unwrap_or(schema.template);
        return write!(
            f,
            " has another hash tag than the keys before it in the atomic group: its name is `{name}`, of which the text in \
             braces counts, and without braces all of it"
        );
    }
    if let Some(tag) = schema.parameters.iter().find(|parameter| parameter.hash_tag) {
        return write!(
            f,
            " has another hash tag than the keys before it in the atomic group: all of them need `{{#{}}}` with the same value",
            tag.name
        );
    }
    f.write_str(" has no hash tag, but all keys of an atomic group need the same one: write ")?;
    if schema.template.contains('{') {
        write!(f, "`{}`, and the same tag in the other keys", schema.template.replacen('{', "{#", 1))
    } else {
        f.write_str("a field that the keys share into each of them, as in `cart:{#id}:items:list`")
    }
}

fn elements(kind: Kind) -> &'static str {
    if kind == Kind::Hash { "fields" } else { "elements" }
}

/// Writes the problem of one value, or of the name of a field.
fn write_value_problem(cause: &Cause, form: &str, schema: &'static Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match cause {
        Cause::ValueSize { bytes } => match schema.max_bytes {
            Some(most) => write_bytes("max_bytes", *bytes, Some(most), f),
            None => write_bytes("max_member_bytes", *bytes, schema.max_member_bytes, f),
        },
        Cause::Encode(stored) => write_encode(form, *stored, f),
        Cause::Decode { stored, bytes } => write_decode(form, *stored, *bytes, f),
        _ => Ok(()),
    }
}

fn write_size(option: &str, size: u64, most: Option<u64>, unit: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, " exceeds `{option}`: {size} {unit}")?;
    most.map_or(Ok(()), |most| write!(f, ", at most {most}"))
}

/// Writes the size of a value that is too large, and the option that allows it.
fn write_bytes(option: &str, size: u64, most: Option<u64>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write_size(option, size, most, "bytes", f)?;
    if size > MAX_MAX_BYTES {
        return write!(f, "; no key can allow more than {MAX_MAX_BYTES}");
    }
    let (size, unit) = if size < 1024 { (size, "B") } else { (size.div_ceil(1024), "KB") };
    write!(f, "; declare `{option} = {size}{unit}` to allow it")
}

fn write_encode(form: &str, stored: StoredError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, " cannot be encoded as `{form}`: {stored}")
}

fn write_decode(form: &str, stored: StoredError, bytes: Option<usize>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, " cannot be decoded as `{form}`: {stored}")?;
    bytes.map_or(Ok(()), |bytes| write!(f, " ({bytes} bytes)"))
}

fn write_expiry(error: ExpiryError, schema: &'static Schema, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let ttl = schema.expiry.ttl().map(duration::render);
    match (error, ttl, schema.ttl_from_end_of) {
        (ExpiryError::Elapsed, Some(ttl), Some(span)) => {
            write!(f, " has already passed: the key expires {ttl} after the end of its {span}")
        }
        (ExpiryError::OverLimit, ..) => {
            f.write_str(" exceeds the limit of ten years: check the clock and the parameter")
        }
        (ExpiryError::Past | ExpiryError::Elapsed, ..) => f.write_str(" has already passed"),
        (ExpiryError::TooLong, None, _) => f.write_str(" exceeds what Redis can represent"),
        (ExpiryError::TooLong, Some(ttl), None) => write!(f, " exceeds the declared `ttl` of {ttl}"),
        (ExpiryError::TooLong, Some(ttl), Some(span)) => {
            write!(f, " exceeds the declared `ttl` of {ttl} after the end of its {span}")
        }
    }
}

/// Describes the kind of a connection error. The error itself is the [`source`](error::Error::source).
pub(crate) fn connection_error(error: &RedisError) -> String {
    let io_error = io_error(error);
    if let Some(explanation) = io_error.and_then(|error| error.get_ref()?.downcast_ref::<Explanation>()) {
        return explanation.0.clone();
    }
    match io_error.map(io::Error::kind) {
        // Platforms differ in which of the two they report.
        Some(io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => "no reply in time".to_owned(),
        Some(kind) => kind.to_string(),
        None => error.category().to_owned(),
    }
}

/// The message of a connection of this crate. It contains no text from a server, which could contain values.
#[derive(Debug)]
#[cfg_attr(not(feature = "aio"), allow(dead_code, reason = "only asynchronous connections explain"))]
pub(crate) struct Explanation(pub(crate) String);

impl error::Error for Explanation {}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the inner I/O error, which redis-rs shares among all callers that wait for the same connection.
fn io_error(error: &RedisError) -> Option<&io::Error> {
    let source = error.source()?;
    let shared = source.downcast_ref::<Arc<dyn error::Error + Send + Sync>>();
    shared.map_or_else(|| source.downcast_ref(), |shared| shared.downcast_ref())
}
