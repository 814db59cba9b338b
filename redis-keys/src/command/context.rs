//! The sent command, as the context in which replies are read and errors are reported.

use std::time::Duration;

use redis::{Cmd, RedisError, Value};
use redis_keys_core::Kind;

use super::submission::Submission;
use super::table::{key_of, keys_of, words};
use crate::error::Cause;
use crate::lua::Script;
use crate::redis_rs::SentCommand;
use crate::schema::{Draw as _, Renew, Schema};
use crate::{Error, error};

/// The redis commands of a single [`Command`](crate::Command).
#[derive(Clone, Copy)]
pub(crate) struct ReplyContext<'s> {
    pub(crate) schema: &'static Schema,
    /// The script that the commands call by its SHA-1.
    pub(crate) script: Option<&'static Script>,
    pub(crate) commands: Commands<'s>,
}

#[derive(Clone, Copy)]
pub(crate) enum Commands<'s> {
    One(&'s Cmd),
    /// The given number of commands in a submission.
    Range {
        submission: &'s Submission,
        first: usize,
        len: usize,
    },
}

impl<'s> ReplyContext<'s> {
    pub(crate) fn command(&self, index: usize) -> Option<SentCommand<'s>> {
        match self.commands {
            Commands::One(cmd) => (index == 0).then_some(SentCommand::Alone(cmd)),
            Commands::Range { submission, first, len } => {
                (index < len).then(|| submission.command(first.saturating_add(index))).flatten()
            }
        }
    }

    /// Whether the server counts, and so expects a number.
    fn counts(&self) -> bool {
        match self.script {
            Some(script) => script.counts,
            None => self.command(0).and_then(|cmd| words(cmd).next()) == Some(b"INCRBY"),
        }
    }

    /// Returns the error of a failed command, given the key's actual type.
    #[cold]
    pub(crate) fn error(&self, command: usize, failure: NoReply, actual_type: Option<&'static str>) -> Error {
        let (mut reached, mut cause) = error::of_redis(failure.error, self.counts());
        let key = |number| self.command(command).and_then(|cmd| key_of(cmd, number));
        let mut reported_key = key(0);
        if let Cause::WrongType { found } = &mut cause {
            *found = actual_type.filter(|actual| ![self.schema.kind.redis_type(), NO_KEY].contains(actual));
            if found.is_none() && actual_type.is_some() {
                // TYPE reports a hyperloglog as a string.
                let first_is_right = actual_type == Some(NO_KEY) || self.schema.kind != Kind::HyperLogLog;
                match self.command(command).map_or(0, |cmd| keys_of(cmd).count()) {
                    0 | 1 => {}
                    2 if first_is_right => reported_key = key(1).or(reported_key),
                    _ => cause = Cause::WrongTypeAmongKeys,
                }
            }
        }
        if failure.never_sent {
            reached = crate::SendStatus::No;
        }
        if command > 0 && reached == crate::SendStatus::No {
            // The earlier commands were sent.
            reached = crate::SendStatus::Maybe;
        }
        Error::new(self.schema, reported_key, reached, cause)
    }
}

/// TYPE's reply if there is no key.
pub(crate) const NO_KEY: &str = "none";

/// A redis command without a usable reply.
pub(crate) struct NoReply {
    pub(crate) error: RedisError,
    /// Whether the command was certainly not sent.
    pub(crate) never_sent: bool,
}

/// The error of a failed command that belongs to no key.
#[cold]
pub(crate) fn keyless_error(schema: &'static Schema, cmd: &Cmd, no_reply: NoReply) -> Error {
    let sent = ReplyContext { schema, script: None, commands: Commands::One(cmd) };
    sent.error(0, no_reply, None)
}

/// The PEXPIRE that restarts the expiry of a command's key, if the reply to PTTL shows too little remaining time.
pub(crate) fn renewal(left: &Value, sent: &ReplyContext<'_>, command: usize) -> Result<Option<Cmd>, ReplyError> {
    let Value::Int(left) = *left else {
        return Err(ReplyError::unexpected().of(command, 0));
    };
    // -1 is a key without expiry, because another client has removed it; -2 is no key.
    let renews = match sent.schema.renew {
        Some(Renew::Below(least)) => {
            left == -1 || u64::try_from(left).is_ok_and(|left| Duration::from_millis(left) < least)
        }
        // A read that a script cannot perform.
        Some(Renew::Read) => left >= -1,
        _ => false,
    };
    Ok(if renews { pexpire(sent, command) } else { None })
}

fn pexpire(sent: &ReplyContext<'_>, command: usize) -> Option<Cmd> {
    let (key, ms) = (keys_of(sent.command(command)?).next()?, sent.schema.expiry.draw()?);
    let mut cmd = Cmd::with_capacity(3, key.len().saturating_add(32));
    cmd.arg("PEXPIRE").arg(key).arg(ms);
    Some(cmd)
}

/// The reason why a decoder rejects a reply.
pub(crate) struct ReplyError {
    // Boxed to keep the results of decoders small.
    inner: Box<Inner>,
}

struct Inner {
    cause: Cause,
    command: usize,
    key: usize,
}

impl ReplyError {
    #[cold]
    pub(crate) fn new(cause: Cause) -> Self {
        Self { inner: Box::new(Inner { cause, command: 0, key: 0 }) }
    }

    #[cold]
    pub(crate) fn unexpected() -> Self {
        Self::new(Cause::UnexpectedReply)
    }

    /// Whether the error is about bytes that do not decode.
    #[cfg(feature = "cache")]
    pub(crate) fn is_undecodable(&self) -> bool {
        matches!(self.inner.cause, Cause::Decode { .. })
    }

    /// Replaces the cause.
    pub(crate) fn map(mut self, change: impl FnOnce(Cause) -> Cause) -> Self {
        self.inner.cause = change(self.inner.cause);
        self
    }

    /// Sets the command and the key that the error is about.
    pub(crate) fn of(mut self, command: usize, key: usize) -> Self {
        (self.inner.command, self.inner.key) = (command, key);
        self
    }

    #[cold]
    pub(crate) fn into_error(self, sent: &ReplyContext<'_>) -> Error {
        let Inner { cause, command, key } = *self.inner;
        let key = sent.command(command).and_then(|cmd| key_of(cmd, key));
        Error::new(sent.schema, key, crate::SendStatus::Yes, cause)
    }
}
