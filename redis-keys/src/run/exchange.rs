//! Sending one submission over one connection.

use redis::{Cmd, Pipeline, RedisResult, ServerErrorKind, Value};

use crate::{
    command::{
        responses::{NEVER_PROVEN, ProvesUnsent, Response, is_reply, never_sent, no_reply, wrong_number},
        submission::{Mode, Submission},
    },
    error,
};

/// Sends a submission chunk by chunk: a state machine without I/O.
///
/// Once the connection has failed, nothing else is sent.
pub(crate) struct Exchange<'s> {
    submission: &'s Submission,
    proves_unsent: ProvesUnsent,
    /// The responses so far. Their number is the position of the next command.
    responses: Vec<Response>,
    /// The commands before this position are sent individually.
    individual_until: usize,
    /// The next command with the text of the script that the server does not know.
    eval: Option<Cmd>,
    /// The commands that the server rejected for keys in different slots, the first one last. A cluster connection splits such a
    /// command if it is not in a pipeline.
    to_split: Vec<usize>,
    failed: bool,
}

/// What is sent next.
pub(crate) enum Request<'e> {
    Command(&'e Cmd),
    Pipeline(&'e Pipeline),
}

impl<'s> Exchange<'s> {
    pub(crate) fn new(submission: &'s Submission, proves_unsent: ProvesUnsent) -> Self {
        Self {
            submission,
            proves_unsent,
            responses: Vec::with_capacity(submission.len()),
            individual_until: if submission.mode() == Mode::Individual { submission.len() } else { 0 },
            eval: None,
            to_split: Vec::new(),
            failed: false,
        }
    }

    /// What to send next. `None` at the end.
    pub(crate) fn next(&self) -> Option<Request<'_>> {
        if let Some(eval) = &self.eval {
            return Some(Request::Command(eval));
        }
        if let Some(command) = self.to_split.last() {
            return self.submission.command(*command).map(Request::Command);
        }
        let position = self.responses.len();
        if self.failed || position >= self.submission.len() {
            return None;
        }
        let chunk = self.submission.chunk_of(position)?;
        if position < self.individual_until || chunk.len() == 1 {
            return self.submission.command(position).map(Request::Command);
        }
        Some(Request::Pipeline(chunk))
    }

    /// Takes the reply to a command.
    pub(crate) fn resume(&mut self, reply: RedisResult<Value>) {
        if let Some(command) = self.to_split.pop() {
            if let (Ok(reply), Some(response)) = (reply, self.responses.get_mut(command)) {
                *response = Ok(reply);
            }
            return;
        }
        let is_first_attempt = self.eval.take().is_none();
        if is_first_attempt && is_unknown_script(&reply) {
            self.eval = self.submission.with_script_text(self.responses.len());
            if self.eval.is_some() {
                return;
            }
        }
        self.failed = !is_reply(&reply);
        self.responses.push(reply.map_or_else(|error| no_reply(error, self.proves_unsent), Ok));
    }

    /// Takes the replies to a pipeline.
    pub(crate) fn resume_pipeline(&mut self, replies: RedisResult<Vec<Value>>) {
        let first = self.responses.len();
        let len = self.submission.chunk_of(first).map_or(0, Pipeline::len);
        let (error, proves_unsent) = match replies {
            Ok(replies) if replies.len() == len => {
                let crossed = (first..).zip(&replies).filter(|(_, reply)| is_cross_slot(reply));
                self.to_split = crossed.map(|(command, _)| command).collect();
                self.to_split.reverse();
                self.responses.extend(replies.into_iter().map(Ok));
                return;
            }
            Ok(_) => (wrong_number(), NEVER_PROVEN),
            // The cluster's client rejects the pipeline before it sends anything.
            Err(error) if error.kind() == redis::ErrorKind::Server(ServerErrorKind::CrossSlot) => {
                self.individual_until = first + len;
                return;
            }
            Err(error) => (error, self.proves_unsent),
        };
        self.failed = true;
        self.responses.extend((0..len).map(|_| no_reply(error.clone(), proves_unsent)));
    }

    /// The responses to all commands. Those behind a failure were not sent because of it.
    pub(crate) fn finish(mut self) -> Vec<Response> {
        let missing = self.submission.len().saturating_sub(self.responses.len());
        if missing > 0 {
            let error =
                self.responses.last().and_then(|response| response.as_ref().err()).map(|last| last.error.clone());
            let error = error.unwrap_or_else(wrong_number);
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

/// Whether a node rejected a command for keys of other nodes.
fn is_cross_slot(reply: &Value) -> bool {
    matches!(reply, Value::ServerError(error) if error.kind() == Some(ServerErrorKind::CrossSlot))
}
