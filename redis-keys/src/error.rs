//! Errors.

mod cause;
mod message;
mod redis_error;
mod server;
#[cfg(test)]
mod tests;

use std::{error, fmt};

pub(crate) use cause::{Cause, ExpiryError, FieldError};
#[cfg(feature = "aio")]
pub(crate) use message::{Explanation, connection_error};
use redis_keys_core::Rule;
pub(crate) use server::{is_no_script, is_wrong_type, of_redis};

use crate::accessor::Accessor;
use crate::schema::Schema;
#[cfg(all(feature = "cache", feature = "secret"))]
use crate::{secret::NO_KEYS, stored::StoredError};

/// The error of a command, or of a key.
///
/// Its message names the problem, the declaration with the key, the remedy and the broken rule. It never contains a
/// value or the text of an invalid parameter.
///
/// ```
/// use redis_keys::{ErrorKind, Rule, SendStatus, prelude::*};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user}:string, value = String, ttl = 1h, max_bytes = 10B)]
/// struct Name<'a> { user: &'a str }
///
/// let error = Name { user: "ada" }.set("Ada Lovelace").packed().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "value of `Name` (user:name:ada:string) exceeds `max_bytes`: 12 bytes, at most 10; declare `max_bytes = 12B` to allow it [value-size]",
/// );
/// assert_eq!(error.kind(), ErrorKind::ValueSize);
/// assert_eq!(error.rule(), Some(Rule::ValueSize));
/// assert_eq!(error.sent(), SendStatus::No);
/// ```
#[derive(Clone)]
pub struct Error {
    // Boxed to keep `Result`s small.
    inner: Box<Inner>,
}

#[derive(Clone)]
struct Inner {
    schema: &'static Schema,
    key: Option<Box<str>>,
    sent: SendStatus,
    cause: Cause,
    accessor: Accessor,
}

/// The kind of an [`Error`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A parameter breaks a rule of key text.
    Parameter,
    /// The key exceeds 128 bytes, or the lower limit of the project.
    KeyLength,
    /// The text is not a key of the declaration.
    Parse,
    /// The value exceeds `max_bytes`, or an element exceeds `max_member_bytes`.
    ValueSize,
    /// The collection would exceed `max_len`, and is unchanged. Or you read a whole collection that has more elements,
    /// or takes more memory, than allowed.
    CollectionSize,
    /// One call asks for or passes too many elements.
    TooMany,
    /// The value cannot be encoded: NaN, or a value that serde cannot serialize.
    Encode,
    /// The stored bytes cannot be decoded as the declared form.
    Decode,
    /// Redis does not accept an argument, or a lock does not accept a token that was released.
    ///
    /// For example, a score is NaN, coordinates are out of range, or a number does not fit in its bits.
    Argument,
    /// The expiry has already passed, or exceeds the declared expiry, ten years or the range of Redis.
    Expiry,
    /// A count would leave the range of its type, or a score would be NaN. The stored number is unchanged.
    OutOfRange,
    /// Concurrent changes made every attempt of an update fail, or slots kept moving during a scan of a cluster.
    Contended,
    /// Another caller held the lock all the time that was allowed for acquiring it.
    TimedOut,
    /// The connection does not support the command.
    Unsupported,
    /// The keys of an atomic group have different hash tags.
    HashTag,
    /// The member from which a search starts does not exist.
    NoMember,
    /// The key holds another Redis type than declared.
    WrongType,
    /// The server replied with an error.
    Server,
    /// The server's reply does not match the command.
    UnexpectedReply,
    /// The connection failed.
    Connection,
}

/// The status of sending a command: whether it reached the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SendStatus {
    /// Nothing was sent, or the server did not know the script, so nothing has changed.
    No,
    /// The connection failed: the server may or may not have executed the command.
    Maybe,
    /// The server replied.
    Yes,
}

impl Error {
    #[cold]
    pub(crate) fn new(schema: &'static Schema, key: Option<Box<str>>, sent: SendStatus, cause: Cause) -> Self {
        Self { inner: Box::new(Inner { schema, key, sent, cause, accessor: Accessor::default() }) }
    }

    /// Creates the error of a command that was rejected before anything was sent.
    #[cold]
    pub(crate) fn refused(schema: &'static Schema, key: Option<Box<str>>, cause: Cause) -> Self {
        Self::new(schema, key, SendStatus::No, cause)
    }

    /// Names the accessor that has failed, in reports.
    pub(crate) fn name(&mut self, accessor: Accessor) {
        self.inner.accessor = accessor;
    }

    /// The accessor that has failed, if it is known.
    #[cfg(feature = "metrics")]
    pub(crate) fn accessor(&self) -> Accessor {
        self.inner.accessor
    }

    /// Marks that nothing was sent, or nothing that changes data.
    #[cfg(feature = "aio")]
    pub(crate) fn unsent(mut self) -> Self {
        self.inner.sent = SendStatus::No;
        self
    }

    /// Returns whether the key itself is invalid, or too old to be written.
    #[cfg(feature = "cache")]
    pub(crate) fn is_refused_key(&self) -> bool {
        matches!(self.inner.cause, Cause::Key(_) | Cause::Expiry(_))
    }

    /// Returns whether no keys are installed that could decrypt its value.
    #[cfg(feature = "cache")]
    pub(crate) fn lacks_keys(&self) -> bool {
        #[cfg(feature = "secret")]
        return matches!(&self.inner.cause, Cause::Decode { stored, .. } if *stored == StoredError::new(NO_KEYS));
        #[cfg(not(feature = "secret"))]
        false
    }

    /// Returns whether the cluster node of the key is currently unavailable.
    ///
    /// While a node is unreachable, other nodes first redirect to it and later report that the slot is not served.
    pub(crate) fn is_of_lost_node(&self) -> bool {
        match &self.inner.cause {
            Cause::Connection(_) => true,
            Cause::Server { reply: Some(reply), .. } => {
                ["CLUSTERDOWN", "LOADING", "MASTERDOWN", "MOVED"].contains(&reply.code)
            }
            _ => false,
        }
    }

    /// Returns whether a cluster is moving the key, and the connection has not followed it.
    #[cfg(any(feature = "cache", feature = "lock"))]
    pub(crate) fn is_of_moving_key(&self) -> bool {
        let Cause::Server { reply: Some(reply), .. } = &self.inner.cause else { return false };
        ["ASK", "MOVED", "TRYAGAIN"].contains(&reply.code)
    }

    /// Returns whether the server accepts no writes at the moment: it is being replaced, or a script blocks it.
    #[cfg(feature = "lock")]
    pub(crate) fn is_of_paused_server(&self) -> bool {
        let Cause::Server { reply: Some(reply), .. } = &self.inner.cause else { return false };
        ["BUSY", "NOREPLICAS", "READONLY"].contains(&reply.code)
    }

    /// Returns the code of the server's error, if the code is known.
    #[cfg(feature = "tracing")]
    pub(crate) fn code(&self) -> Option<&'static str> {
        match &self.inner.cause {
            Cause::Server { reply, .. } => reply.map(|reply| reply.code),
            Cause::WrongType { .. } | Cause::WrongTypeAmongKeys => Some("WRONGTYPE"),
            _ => None,
        }
    }

    /// Returns the schema of the key's declaration.
    pub fn schema(&self) -> &'static Schema {
        self.inner.schema
    }

    /// Returns the key, unless the key itself is invalid.
    pub fn key(&self) -> Option<&str> {
        self.inner.key.as_deref()
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.inner.cause.kind()
    }

    /// Returns whether the command reached the server.
    pub fn sent(&self) -> SendStatus {
        self.inner.sent
    }

    /// Returns the broken rule, if there is one.
    pub fn rule(&self) -> Option<Rule> {
        self.inner.cause.rule()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { schema, key, sent, cause, .. } = &*self.inner;
        message::write_subject(cause, schema, f)?;
        write!(f, "`{}` (", schema.name)?;
        write_key(key.as_deref().unwrap_or(schema.template), f)?;
        f.write_str(")")?;
        message::write_problem(cause, schema, f)?;
        if let Some(rule) = cause.rule() {
            write!(f, " [{rule}]")?;
        }
        match (sent, cause) {
            (SendStatus::Maybe, _) => f.write_str("; it may have been executed"),
            (SendStatus::No, Cause::Connection(_)) => f.write_str("; nothing was sent"),
            _ => Ok(()),
        }
    }
}

/// Writes a key. A legacy text can contain control characters, which would change a log.
fn write_key(key: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !key.contains(char::is_control) {
        return f.write_str(key);
    }
    key.chars().try_for_each(|char| {
        if char.is_control() { write!(f, "{}", char.escape_default()) } else { fmt::Write::write_char(f, char) }
    })
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.kind())
            .field("sent", &self.sent())
            .field("text", &format_args!("{self}"))
            .finish()
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match &self.inner.cause {
            // A detail can be the server's text, which can contain values.
            Cause::Connection(source) if source.detail().is_none() => Some(source),
            _ => None,
        }
    }
}
