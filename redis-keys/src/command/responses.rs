//! The responses to a submission.
//!
//! A *reply* is a value that the server sent. A [`Response`] is either a reply, which can be an error from the server,
//! or the reason why there is no reply. [`Responses`] passes a submission's responses to its commands, from first to
//! last.

use std::mem;

use redis::{Cmd, RedisError, RedisResult, Value};

use super::context::{NO_KEY, NoReply};
use super::reply::Replies;
use super::submission::{Mode, Submission};
use super::table::{keys_of, words};
use crate::error;
use crate::observe::command::{Traffic, is_recorded};
use crate::schema::Schema;

/// A reply, which can be an error from the server, or the reason why there is no reply.
pub(crate) type Response = Result<Value, Box<NoReply>>;

/// Whether an error proves that the command was not sent.
pub(crate) type ProvesUnsent = fn(&RedisError) -> bool;

/// For connections that try a command once: the error shows that they had no connection for it.
pub(crate) fn is_unconnected(error: &RedisError) -> bool {
    error.is_connection_refusal() || error.kind() == redis::ErrorKind::AuthenticationFailed
}

/// For connections that retry: the error describes only the last attempt.
pub(crate) const NEVER_PROVEN: ProvesUnsent = |_| false;

/// A command that failed.
pub(crate) fn no_reply(error: RedisError, proves_unsent: ProvesUnsent) -> Response {
    Err(Box::new(NoReply { never_sent: proves_unsent(&error), error }))
}

/// A command that was not sent because of an earlier error.
pub(crate) fn never_sent(error: RedisError) -> Response {
    Err(Box::new(NoReply { error, never_sent: true }))
}

/// Converts an error value into an error: some connections deliver server errors as values.
#[inline]
pub(crate) fn flatten(reply: RedisResult<Value>) -> RedisResult<Value> {
    match reply {
        Ok(Value::ServerError(error)) => Err(error.into()),
        reply => reply,
    }
}

/// Whether the server has replied, even if only with an error.
pub(crate) fn is_reply(reply: &RedisResult<Value>) -> bool {
    reply.as_ref().err().is_none_or(|error| error.code().is_some())
}

/// The responses to a submission.
pub struct Responses<'s> {
    pub(crate) submission: &'s Submission,
    all: Vec<Response>,
    /// The actual types of keys with another type than declared, in the order of their commands.
    actual_types: Vec<(usize, &'static str)>,
    /// The index of the command whose response is taken next.
    pub(crate) position: usize,
    /// The commands that must be sent after the replies.
    pub(crate) follow_ups: Vec<Cmd>,
}

impl<'s> Responses<'s> {
    pub(crate) fn new(
        submission: &'s Submission,
        responses: Vec<Response>,
        actual_types: Vec<(usize, &'static str)>,
    ) -> Self {
        Self { submission, all: responses, actual_types, position: 0, follow_ups: Vec::new() }
    }

    /// Takes the replies of the next `len` commands, or the index of the first command without a reply.
    pub(crate) fn next(&mut self, len: usize) -> Result<Replies, (usize, Box<NoReply>)> {
        let first = self.position;
        self.position = first.saturating_add(len);
        if len == 1 {
            return self.take(first).map(Replies::One).map_err(|failure| (0, failure));
        }
        let replies = (first..self.position)
            .map(|index| self.take(index).map_err(|failure| (index.saturating_sub(first), failure)));
        replies.collect::<Result<_, _>>().map(Replies::Many)
    }

    /// Takes the next command's response.
    pub(crate) fn next_response(&mut self) -> Response {
        let index = self.position;
        self.position = index.saturating_add(1);
        self.take(index)
    }

    /// The bytes that the next `len` commands have sent and received, if they are counted.
    pub(crate) fn next_traffic(&self, len: usize, schema: &Schema) -> Option<Traffic> {
        if !is_recorded() {
            return None;
        }
        let mut traffic = Traffic::default();
        for index in self.position..self.position.saturating_add(len) {
            let response = self.all.get(index);
            if response.is_some_and(|response| response.as_ref().err().is_none_or(|failure| !failure.never_sent)) {
                self.submission.command(index).into_iter().for_each(|cmd| traffic.sent(cmd));
            }
            // The reply to PTTL, which some reads also request, is not a value.
            let is_value = self.submission.command(index).and_then(|cmd| words(cmd).next()) != Some(b"PTTL");
            if let Some(Ok(reply)) = response
                && is_value
            {
                traffic.received(reply, schema);
            }
        }
        Some(traffic)
    }

    fn take(&mut self, index: usize) -> Response {
        let missing = || no_reply(wrong_number(), NEVER_PROVEN);
        match self.all.get_mut(index).map_or_else(missing, |response| mem::replace(response, Ok(Value::Nil))) {
            Ok(Value::ServerError(error)) => no_reply(error.into(), NEVER_PROVEN),
            response => response,
        }
    }

    /// The actual type of a command's key, if it was looked up.
    pub(crate) fn actual_type(&self, command: usize) -> Option<&'static str> {
        let index = self.actual_types.binary_search_by_key(&command, |(index, _)| *index).ok()?;
        self.actual_types.get(index).map(|(_, name)| *name)
    }
}

/// The error for a connection that delivers too few or too many replies.
pub(crate) fn wrong_number() -> RedisError {
    (redis::ErrorKind::UnexpectedReturnType, "the number of replies is not that of the commands").into()
}

/// The known replies to TYPE.
const TYPES: [&str; 7] = ["string", "hash", "list", "set", "zset", "stream", NO_KEY];

/// Returns the commands whose key has another type than declared.
pub(crate) fn wrong_types(responses: &[Response]) -> Vec<usize> {
    let is_wrong = |response: &Response| match response {
        Ok(Value::ServerError(error)) => error.code() == "WRONGTYPE",
        Ok(_) => false,
        Err(failure) => error::is_wrong_type(&failure.error),
    };
    responses.iter().enumerate().filter(|(_, response)| is_wrong(response)).map(|(index, _)| index).collect()
}

/// Returns the TYPE commands that look up the actual types of these commands' keys.
pub(crate) fn type_lookups(submission: &Submission, commands: &[usize], mode: Mode) -> Submission {
    let lookup = |command: &usize| {
        let mut cmd = redis::cmd("TYPE");
        cmd.arg(keys_of(submission.command(*command)?).next()?);
        Some(cmd)
    };
    Submission::of(mode, commands.iter().filter_map(lookup))
}

/// Reads the types found for these commands. A key may be gone by then, and modules define further types.
pub(crate) fn found_types(commands: &[usize], lookups: Vec<Response>) -> Vec<(usize, &'static str)> {
    let name = |response: Response| match response {
        Ok(Value::SimpleString(name)) => TYPES.into_iter().find(|known| *known == name),
        _ => None,
    };
    commands.iter().zip(lookups).filter_map(|(command, response)| Some((*command, name(response)?))).collect()
}
