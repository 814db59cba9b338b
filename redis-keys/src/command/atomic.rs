//! Several commands that run together or not at all.

use redis::{Cmd, Pipeline, RedisError, RedisResult, Value};

use super::batch::Batch;
use super::context::{Commands, NoReply, ReplyContext};
use super::responses::{ProvesUnsent, Response, Responses, no_reply};
use super::submission::{Mode, Submission};
use crate::Error;
use crate::error::Cause;
use crate::stored::memory;

/// Combines several commands into a transaction, with MULTI and EXEC.
///
/// It takes the same arguments as [`batch`](super::batch()). Other clients' commands never run in between. If the
/// server rejects a command before it executes the group, no command runs. A command that fails during execution, for
/// example because its key has another type, does not affect the others.
///
/// All keys must have the same hash tag, or be the same key, so that the group works alike on a single server and on a
/// cluster. Other groups are rejected before anything is sent. For a key that is
/// [taken over](crate::RedisKey::take_over), the check concerns only the name in use; a cluster, however, needs the same
/// hash tag in both names.
///
/// Synchronous cluster connections do not support transactions, so use an asynchronous connection there.
///
/// ```no_run
/// use redis_keys::{atomic, prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(cart:{#id}:items:list, value = u64, ttl = 1d)]
/// struct Items { id: u64 }
///
/// #[derive(RedisKey)]
/// #[redis_key(cart:{#id}:sum:string, value = u64, ttl = 1d)]
/// struct Sum { id: u64 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let (items, sum) = atomic((Items { id: 42 }.rpush(&7), Sum { id: 42 }.incr_by(1999))).query(&mut con)?;
/// # let (items, sum): (u64, u64) = (items, sum);
/// # Ok(()) }
/// ```
#[doc(alias("multi", "exec", "transaction"))]
pub fn atomic<B: Batch>(commands: B /* several: `atomic((a, b))` */) -> Atomic<B> {
    Atomic { commands }
}

/// Several commands that run together, as returned by [`atomic()`].
#[must_use = "an atomic group does nothing until `run` or `query` runs it"]
#[derive(Clone, Debug)]
pub struct Atomic<B> {
    commands: B,
}

impl<B: Batch> Atomic<B> {
    pub(crate) fn into_transaction(self) -> Result<Transaction<B::Plan>, Error> {
        let mut submission = Submission::new(Mode::Transaction);
        let plan = self.commands.plan(&mut submission);
        match submission.refusal() {
            Some(error) => Err(error.clone()),
            None => Ok(Transaction { submission, plan }),
        }
    }
}

/// The redis commands of an atomic group, and the readers of their replies.
pub(crate) struct Transaction<P> {
    submission: Submission,
    plan: P,
}

impl<P> Transaction<P> {
    /// Returns MULTI, the commands and EXEC; `None` if there is nothing to send.
    ///
    /// It is a plain pipeline, so a cluster connection follows a slot that has moved. That is safe, because the node
    /// that lost the slot executes none of the commands.
    pub(crate) fn pipeline(&mut self) -> Option<Pipeline> {
        if self.submission.len() == 0 {
            return None;
        }
        self.submission.open_calls.send();
        let mut pipeline = Pipeline::new();
        pipeline.add_command(redis::cmd("MULTI"));
        for cmd in self.submission.commands() {
            cmd.to_cmd().into_iter().for_each(|cmd| _ = pipeline.add_command(cmd));
        }
        pipeline.add_command(redis::cmd("EXEC"));
        Some(pipeline)
    }

    /// The number of calls.
    pub(crate) fn calls(&self) -> usize {
        self.submission.calls
    }

    /// Rejects the calls on a connection without transactions, unless there is nothing to send.
    pub(crate) fn reject(&mut self) -> Option<Error> {
        let error = self.submission.refused(Cause::NoTransactions)?;
        self.submission.open_calls.close_as(&error);
        Some(error)
    }

    /// Reads the replies to the pipeline: the results, and the commands that must be sent next.
    pub(crate) fn read<O>(
        mut self,
        replies: RedisResult<Vec<Value>>,
        proves_unsent: ProvesUnsent,
        output: fn(P, &mut Responses<'_>) -> Result<O, Error>,
    ) -> (Result<O, Error>, Vec<Cmd>) {
        let responses = match replies {
            Ok(_) if self.submission.len() == 0 => Vec::new(),
            Ok(replies) => match self.executed(replies) {
                Ok(responses) => responses,
                Err(error) => {
                    self.submission.open_calls.close_as(&error);
                    return (Err(error), Vec::new());
                }
            },
            Err(error) => (0..self.submission.len()).map(|_| no_reply(error.clone(), proves_unsent)).collect(),
        };
        self.submission.open_calls.close();
        let mut responses = Responses::new(&self.submission, responses, Vec::new());
        let output = memory::share(|| output(self.plan, &mut responses));
        (output, responses.follow_ups)
    }

    /// The replies inside the reply to EXEC, or the error that kept EXEC from executing the commands.
    fn executed(&self, mut replies: Vec<Value>) -> Result<Vec<Response>, Error> {
        let (index, error) = match replies.pop() {
            Some(Value::Array(values)) if values.len() == self.submission.len() => {
                return Ok(values.into_iter().map(Ok).collect());
            }
            Some(Value::ServerError(aborted)) => first_rejected(replies).unwrap_or((0, aborted.into())),
            _ => (0, (redis::ErrorKind::UnexpectedReturnType, "unexpected reply to EXEC").into()),
        };
        match (self.submission.schema(index), self.submission.command(index)) {
            (Some(schema), Some(_)) => {
                let sent = ReplyContext {
                    schema,
                    script: None,
                    commands: Commands::Range { submission: &self.submission, first: index, len: 1 },
                };
                Err(sent.error(0, NoReply { error, never_sent: false }, None))
            }
            _ => Ok(Vec::new()),
        }
    }
}

/// Returns the first command that the server rejected instead of queueing it.
fn first_rejected(replies: Vec<Value>) -> Option<(usize, RedisError)> {
    // The first reply answers MULTI.
    replies.into_iter().skip(1).enumerate().find_map(|(index, reply)| match reply {
        Value::ServerError(error) => Some((index, error.into())),
        _ => None,
    })
}
