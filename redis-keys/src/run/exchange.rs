//! Sending one submission over one connection.

use std::borrow::Cow;
use std::collections::HashSet;
use std::vec;

use redis::{Cmd, Pipeline, RedisError, RedisResult, ServerErrorKind, Value};

use crate::command::responses::{NEVER_PROVEN, ProvesUnsent, Response, is_reply, never_sent, no_reply, wrong_number};
use crate::command::submission::{Mode, Submission};
use crate::command::table::keys_of;
use crate::error;
use crate::redis_rs::SentCommand;

/// Sends a submission chunk by chunk: a state machine without I/O.
///
/// Some commands of a pipeline can be rejected while the commands behind them are executed:
///
/// - a call of a script that the server does not know, because the user may not run the command that carries the
///   script's text, or because the server has forgotten the script in between;
/// - a command on keys of several nodes, which a cluster connection splits only outside pipelines.
///
/// These commands are sent again alone, before the next pipeline, a script with its text. A command that a later
/// command on the same key has overtaken is not sent again: its first reply stays.
///
/// Once the connection has failed, nothing else is sent.
pub(crate) struct Exchange<'s> {
    submission: &'s Submission,
    proves_unsent: ProvesUnsent,
    /// The responses so far. Their index is the position of the next command.
    responses: Vec<Response>,
    /// The commands before this position are sent individually.
    individual_until: usize,
    /// The commands that are sent again, with their indexes.
    again: vec::IntoIter<(usize, Cmd)>,
    /// The reason why nothing else is sent.
    failure: Option<RedisError>,
}

/// A command or a pipeline on its way to a server.
pub(crate) enum Outgoing<'e> {
    Command(Cow<'e, Cmd>),
    Pipeline(&'e Pipeline),
}

impl<'s> Exchange<'s> {
    pub(crate) fn new(submission: &'s Submission, proves_unsent: ProvesUnsent) -> Self {
        Self {
            submission,
            proves_unsent,
            responses: Vec::with_capacity(submission.len()),
            individual_until: if submission.mode() == Mode::Individual { submission.len() } else { 0 },
            again: Vec::new().into_iter(),
            failure: None,
        }
    }

    /// Returns the next commands to send. `None` at the end.
    pub(crate) fn next(&self) -> Option<Outgoing<'_>> {
        let position = self.responses.len();
        if self.failure.is_some() {
            return None;
        }
        if let Some((_, cmd)) = self.again.as_slice().first() {
            return Some(Outgoing::Command(Cow::Borrowed(cmd)));
        }
        if position >= self.submission.len() {
            return None;
        }
        match (self.submission.command(position)?, self.submission.chunk_of(position)) {
            (SentCommand::Alone(cmd), _) => Some(Outgoing::Command(Cow::Borrowed(cmd))),
            (_, Some(chunk)) if position >= self.individual_until && chunk.len() > 1 => Some(Outgoing::Pipeline(chunk)),
            (cmd, _) => cmd.to_cmd().map(|cmd| Outgoing::Command(Cow::Owned(cmd))),
        }
    }

    /// Takes the reply to a command.
    pub(crate) fn resume(&mut self, reply: RedisResult<Value>) {
        let position = self.responses.len();
        let attempted = self.again.next().map(|(index, _)| index);
        if attempted.is_none() && is_unknown_script(&reply) {
            let again = self.submission.with_script_text(position).map(|eval| (position, eval));
            self.again = again.into_iter().collect::<Vec<_>>().into_iter();
        }
        if !is_reply(&reply) {
            self.failure = reply.as_ref().err().cloned();
        }
        let response = reply.map_or_else(|error| no_reply(error, self.proves_unsent), Ok);
        match attempted.and_then(|index| self.responses.get_mut(index)) {
            Some(first) => *first = response,
            None => self.responses.push(response),
        }
    }

    /// Takes the replies to a pipeline.
    pub(crate) fn resume_pipeline(&mut self, replies: RedisResult<Vec<Value>>) {
        let first = self.responses.len();
        let len = self.submission.chunk_of(first).map_or(0, Pipeline::len);
        let (error, proves_unsent) = match replies {
            Ok(replies) if replies.len() == len => {
                if replies.iter().any(|reply| matches!(reply, Value::ServerError(_))) {
                    self.again = self.not_executed(first, &replies).into_iter();
                }
                self.responses.extend(replies.into_iter().map(Ok));
                return;
            }
            Ok(_) => (wrong_number(), NEVER_PROVEN),
            // The cluster's client rejects the pipeline before it sends anything.
            Err(error) if error.kind() == redis::ErrorKind::Server(ServerErrorKind::CrossSlot) => {
                self.individual_until = first.saturating_add(len);
                return;
            }
            Err(error) => (error, self.proves_unsent),
        };
        self.responses.extend((0..len).map(|_| no_reply(error.clone(), proves_unsent)));
        self.failure = Some(error);
    }

    /// The commands of a pipeline that can be sent again, in their order: the server did not execute them, and no
    /// command on the same key has overtaken them.
    #[cold]
    fn not_executed(&self, first: usize, replies: &[Value]) -> Vec<(usize, Cmd)> {
        let mut overtaken = HashSet::new();
        let mut again = Vec::new();
        for (index, reply) in (first..self.submission.len()).zip(replies).rev() {
            let keys = || self.submission.command(index).into_iter().flat_map(keys_of);
            match self.second_attempt(index, reply) {
                Some(attempt) if !keys().any(|key| overtaken.contains(key)) => again.push(attempt),
                _ => overtaken.extend(keys()),
            }
        }
        again.reverse();
        again
    }

    /// Returns the second attempt of a command of a pipeline, if the server did not execute it.
    fn second_attempt(&self, index: usize, reply: &Value) -> Option<(usize, Cmd)> {
        let Value::ServerError(error) = reply else { return None };
        match error.kind() {
            Some(ServerErrorKind::NoScript) => Some((index, self.submission.with_script_text(index)?)),
            Some(ServerErrorKind::CrossSlot) => Some((index, self.submission.command(index)?.to_cmd()?)),
            _ => None,
        }
    }

    /// The responses to all commands. Commands after a failure were not sent.
    pub(crate) fn finish(mut self) -> Vec<Response> {
        let missing = self.submission.len().saturating_sub(self.responses.len());
        if missing > 0 {
            let error = self.failure.unwrap_or_else(wrong_number);
            self.responses.extend((0..missing).map(|_| never_sent(error.clone())));
        }
        self.responses
    }
}

/// Whether the server rejected a command because it does not know the script.
pub(crate) fn is_unknown_script(reply: &RedisResult<Value>) -> bool {
    match reply {
        Ok(Value::ServerError(error)) => error.kind() == Some(ServerErrorKind::NoScript),
        Ok(_) => false,
        Err(error) => error::is_no_script(error),
    }
}
