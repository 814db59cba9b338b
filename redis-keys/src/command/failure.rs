//! What goes wrong after sending.

use redis::{Cmd, RedisError, RedisResult, Value};
use redis_keys_core::Kind;

use super::{
    Sent,
    answers::NO_KEY,
    sent::{Commands, key_of, keys_of},
};
use crate::{Error, error, error::Cause, schema::Schema};

/// What a decoder finds wrong with a reply.
pub(crate) struct Fault {
    // Boxed for the sake of the results that are no faults.
    inner: Box<Inner>,
}

struct Inner {
    cause: Cause,
    command: usize,
    key: usize,
}

impl Fault {
    #[cold]
    pub(crate) fn new(cause: Cause) -> Self {
        Self { inner: Box::new(Inner { cause, command: 0, key: 0 }) }
    }

    #[cold]
    pub(crate) fn unexpected() -> Self {
        Self::new(Cause::UnexpectedReply)
    }

    /// The same of another cause.
    pub(crate) fn map(mut self, change: impl FnOnce(Cause) -> Cause) -> Self {
        self.inner.cause = change(self.inner.cause);
        self
    }

    /// Says which command it is about, and which key of it.
    pub(crate) fn of(mut self, command: usize, key: usize) -> Self {
        (self.inner.command, self.inner.key) = (command, key);
        self
    }

    #[cold]
    pub(crate) fn into_error(self, sent: &Sent<'_>) -> Error {
        let Inner { cause, command, key } = *self.inner;
        let key = sent.command(command).and_then(|cmd| key_of(cmd, key));
        Error::new(sent.schema, key, crate::Sent::Yes, cause)
    }
}

/// The error of a command that got no reply or an error, with the type that its key was found to have.
#[cold]
pub(crate) fn into_error(
    error: RedisError,
    sent: &Sent<'_>,
    command: usize,
    found: Option<&'static str>,
    unsent: bool,
) -> Error {
    let (mut reached, mut cause) = error::of_redis(error, sent.counts());
    let mut key = sent.key(command);
    if let Cause::WrongType { found: unknown } = &mut cause {
        *unknown = found.filter(|found| ![sent.schema.kind.redis_type(), NO_KEY].contains(found));
        if unknown.is_none() && found.is_some() {
            // TYPE tells a hyperloglog from nothing else that is a string.
            let first_is_right = found == Some(NO_KEY) || sent.schema.kind != Kind::HyperLogLog;
            match sent.command(command).map_or(0, |cmd| keys_of(cmd).count()) {
                0 | 1 => {}
                2 if first_is_right => key = sent.command(command).and_then(|cmd| key_of(cmd, 1)).or(key),
                _ => cause = Cause::WrongTypeAmongKeys,
            }
        }
    }
    if unsent {
        reached = crate::Sent::No;
    }
    if command > 0 && reached == crate::Sent::No {
        // What stood before it was sent.
        reached = crate::Sent::Maybe;
    }
    Error::new(sent.schema, key, reached, cause)
}

/// The error of a command that belongs to no key.
#[cold]
pub(crate) fn lost(schema: &'static Schema, cmd: &Cmd, error: RedisError) -> Error {
    let sent = Sent { schema, script: None, commands: Commands::One(cmd) };
    into_error(error, &sent, 0, None, false)
}

/// The error in a reply. Servers' errors come as errors or as values, depending on the connection.
#[inline]
pub(crate) fn answer(reply: RedisResult<Value>) -> Result<Value, RedisError> {
    match reply {
        Ok(Value::ServerError(error)) => Err(error.into()),
        reply => reply,
    }
}

/// Whether an error means that the command has not gone out.
pub(crate) type Unsent = fn(&RedisError) -> bool;

/// Where a command is tried once: there was no connection to send it on.
pub(crate) fn is_unconnected(error: &RedisError) -> bool {
    error.is_connection_refusal() || error.kind() == redis::ErrorKind::AuthenticationFailed
}

/// Where it may have been tried before: the error tells of the last attempt only.
pub(crate) const NEVER_SURE: Unsent = |_| false;

/// Whether the server has answered, be it with an error.
pub(crate) fn is_answer(reply: &RedisResult<Value>) -> bool {
    reply.as_ref().err().is_none_or(|error| error.code().is_some())
}

/// Whether a node refused a command for the keys of other nodes in it.
#[cfg(feature = "aio")]
pub(crate) fn is_cross_slot(reply: &Value) -> bool {
    matches!(reply, Value::ServerError(error) if error.kind() == Some(redis::ServerErrorKind::CrossSlot))
}

/// Whether a cluster does not take a piece as one pipeline. The client finds that out before it sends anything.
#[cfg(feature = "aio")]
pub(crate) fn crosses_slots(replies: &RedisResult<Vec<Value>>) -> bool {
    let crosses = redis::ErrorKind::Server(redis::ServerErrorKind::CrossSlot);
    replies.as_ref().is_err_and(|error| error.kind() == crosses)
}
