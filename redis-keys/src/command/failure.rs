//! What goes wrong after sending.

#[cfg(feature = "aio")]
use redis::ServerErrorKind;
use redis::{Cmd, Pipeline, RedisError, RedisResult, RedisWrite as _, Value};

use super::{
    Replies,
    sent::{Sent, key_of},
};
use crate::{
    Error, ErrorKind,
    error::{self, Cause},
};

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

    /// Says which command it is about, and which key of it.
    pub(crate) fn of(mut self, command: usize, key: usize) -> Self {
        (self.inner.command, self.inner.key) = (command, key);
        self
    }

    #[cold]
    pub(super) fn into_error(self, sent: &Sent) -> Error {
        let Inner { cause, command, key } = *self.inner;
        let key = sent.command(command).and_then(|cmd| key_of(cmd, key));
        Error::new(sent.schema, key, crate::Sent::Yes, cause)
    }
}

/// Redis's types, as TYPE names them.
const TYPES: [&str; 6] = ["string", "hash", "list", "set", "zset", "stream"];

/// A command that got no reply or an error.
pub(super) struct Failure {
    pub(super) command: usize,
    pub(super) error: RedisError,
}

impl Failure {
    pub(super) fn new(command: usize, error: RedisError) -> Self {
        Self { command, error }
    }

    /// The same call again, when all that is wrong is that the server does not know the script yet.
    pub(super) fn second_attempt(&self, sent: &Sent) -> Option<Cmd> {
        if error::is_no_script(&self.error) { sent.as_eval() } else { None }
    }

    /// The question which type the key has, when it has another one than the command is for.
    pub(super) fn question(&self, sent: &Sent) -> Option<Cmd> {
        if !error::is_wrong_type(&self.error) {
            return None;
        }
        let key = key_of(sent.command(self.command)?, 0)?;
        let mut cmd = Cmd::with_capacity(2, "TYPE".len() + key.len());
        cmd.write_arg(b"TYPE");
        cmd.write_arg(key.as_bytes());
        Some(cmd)
    }

    /// The error, with the answer to that question.
    pub(super) fn into_error(self, sent: &Sent, answer: Option<Value>) -> Error {
        let key = sent.command(self.command).and_then(|cmd| key_of(cmd, 0));
        let (mut reached, mut cause) = error::of_redis(self.error, sent.counts());
        if let (Cause::WrongType { found }, Some(Value::SimpleString(name))) = (&mut cause, answer) {
            // By now the key may be gone, and modules have types of their own.
            *found = TYPES.into_iter().find(|known| *known == name);
        }
        if self.command > 0 && reached == crate::Sent::No {
            // What stood before it was sent.
            reached = crate::Sent::Maybe;
        }
        Error::new(sent.schema, key, reached, cause)
    }
}

/// The error in a reply. Servers' errors come as errors or as values, depending on the connection.
#[inline]
pub(super) fn answer(reply: RedisResult<Value>) -> Result<Value, RedisError> {
    match reply {
        Ok(Value::ServerError(error)) => Err(error.into()),
        reply => reply,
    }
}

/// Adds replies to those that are there already.
pub(super) fn add_answers(
    replies: &mut Vec<Value>,
    answers: impl IntoIterator<Item = RedisResult<Value>>,
) -> Result<(), Failure> {
    for reply in answers {
        replies.push(answer(reply).map_err(|error| Failure::new(replies.len(), error))?);
    }
    Ok(())
}

/// Adds the replies to a pipeline.
pub(super) fn add_piece(
    replies: &mut Vec<Value>,
    to: &Pipeline,
    answers: RedisResult<Vec<Value>>,
) -> Result<(), Failure> {
    let answers = answers.map_err(|error| Failure::new(replies.len(), error))?;
    if answers.len() != to.len() {
        let error = (redis::ErrorKind::UnexpectedReturnType, "another number of replies than of commands");
        return Err(Failure::new(replies.len(), error.into()));
    }
    add_answers(replies, answers.into_iter().map(Ok))
}

/// Whether the server has answered, be it with an error.
pub(super) fn is_answer(reply: &RedisResult<Value>) -> bool {
    reply.as_ref().err().is_none_or(|error| error.code().is_some())
}

/// Whether a cluster does not take a piece as one pipeline. What it has run of it all the same can be run again: nothing but
/// reads and expiries goes in pieces.
#[cfg(feature = "aio")]
pub(super) fn crosses_slots(answers: &RedisResult<Vec<Value>>) -> bool {
    let crosses = Some(ServerErrorKind::CrossSlot);
    match answers {
        Ok(replies) => {
            replies.iter().any(|reply| matches!(reply, Value::ServerError(error) if error.kind() == crosses))
        }
        Err(error) => error.kind() == redis::ErrorKind::Server(ServerErrorKind::CrossSlot),
    }
}

/// What was read, after its expiry was to be renewed. A server that refuses to renew it takes nothing from the value.
pub(super) fn renewed<T>(read: T, renewal: Result<Replies, Error>) -> Result<T, Error> {
    match renewal {
        Err(error) if error.kind() != ErrorKind::Server => Err(error),
        _ => Ok(read),
    }
}
