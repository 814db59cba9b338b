//! Commands on synchronous connections.

use redis::{Cmd, ConnectionLike, RedisResult, Value};

use super::SyncConnection;
use super::batch::{BatchRun, Next, read_first, read_first_of};
use super::exchange::{Exchange, Outgoing};
use super::split::split;
use crate::command::request::{Cmds, Request};
use crate::command::responses::{NEVER_PROVEN, ProvesUnsent, Response, flatten, is_unconnected};
use crate::command::submission::Mode;
use crate::command::table::sharded;
use crate::command::{Atomic, Batch, Many, Pending, State};
use crate::observe::command::{BatchCall, Call, in_scope, rejected};
use crate::{Command, Error};

impl<T> Command<T> {
    /// Runs the command on a synchronous connection.
    ///
    /// # Errors
    ///
    /// Returns an error if the command was rejected while it was built, if the server replies with an error or with a
    /// reply that cannot be decoded, or if the connection fails. [`Error::sent`] says whether the server may have
    /// executed it.
    #[inline]
    pub fn query<C>(self, con: &mut C) -> Result<T, Error>
    where
        C: SyncConnection + ?Sized,
    {
        match self.state {
            State::Ready(value) => Ok(value),
            State::Refused(error) => {
                rejected(&error);
                Err(error)
            }
            State::Request(Request { schema, script, cmds: Cmds::One(cmd), reading }) => {
                let mut call = Call::start_if_reported(reading.accessor, schema);
                let reply = in_scope(call.as_ref(), || send(con, &cmd));
                let first = match &mut call {
                    None => read_first(schema, script, cmd, reading, reply),
                    Some(call) => read_first_of(call, schema, script, cmd, reading, reply),
                };
                first.unwrap_or_else(|rest| finish(con, *rest, call))
            }
            State::Request(request) => run_several(con, request),
        }
    }
}

impl<B: Batch> Many<B> {
    /// Runs the commands on a synchronous connection.
    ///
    /// If a command was rejected while it was built, none is sent. Otherwise all are sent, and the first error is
    /// returned. Use [`query_each`](Self::query_each) to get the result of each command.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Command::query`].
    pub fn query<C>(self, con: &mut C) -> Result<B::Output, Error>
    where
        C: SyncConnection + ?Sized,
    {
        let run = BatchRun::start(self.commands, mode(con), |refusal| Some(Err(refusal.clone())), B::output);
        let call = run.call();
        let result = call.span.in_scope(|| drive(con, run));
        call.end(result.as_ref().err());
        result
    }

    /// Runs the commands and returns the result of each. Commands that were rejected while they were built are not
    /// sent.
    pub fn query_each<C>(self, con: &mut C) -> B::Each
    where
        C: SyncConnection + ?Sized,
    {
        let run = BatchRun::start(self.commands, mode(con), |_| None, B::each);
        let call = run.call();
        let results = call.span.in_scope(|| drive(con, run));
        call.end(None);
        results
    }
}

impl<B: Batch> Atomic<B> {
    /// Runs the commands on a synchronous connection.
    ///
    /// # Errors
    ///
    /// Returns an error, and sends nothing, if a command was rejected while it was built, or if the keys have different
    /// hash tags. Otherwise returns the errors of [`Command::query`], with the first error of the group.
    pub fn query<C>(self, con: &mut C) -> Result<B::Output, Error>
    where
        C: SyncConnection + ?Sized,
    {
        let mut transaction = self.into_transaction()?;
        if !con.supports_pipelining()
            && let Some(error) = transaction.reject()
        {
            return Err(error);
        }
        let call = BatchCall::start("MULTI", transaction.calls());
        let replies = match transaction.pipeline() {
            Some(pipeline) => {
                call.span.in_scope(|| con.req_packed_commands(&pipeline.get_packed_pipeline(), 0, pipeline.len()))
            }
            None => Ok(Vec::new()),
        };
        let (result, follow_ups) = transaction.read(replies, proves_unsent(con), B::output);
        call.end(result.as_ref().err());
        drive(con, BatchRun::<(), _>::follow_up(result, mode(con), follow_ups))
    }
}

/// Runs the rest of a single redis command.
fn finish<C, T>(con: &mut C, rest: Next<Pending<T>, Result<T, Error>>, call: Option<Call>) -> Result<T, Error>
where
    C: ConnectionLike + ?Sized,
{
    let result = in_scope(call.as_ref(), || drive(con, rest));
    if let Some(call) = call {
        call.end(&result);
    }
    result
}

/// Runs a command that is several redis commands.
fn run_several<C: ConnectionLike + ?Sized, T>(con: &mut C, request: Request<T>) -> Result<T, Error> {
    let mut call = Call::start(request.reading.accessor, request.schema);
    call.metrics.hand_over();
    let command = Command { state: State::Request(request) };
    let run = BatchRun::start(command, mode(con), |refusal| Some(Err(refusal.clone())), Command::output);
    let result = call.span.in_scope(|| drive(con, run));
    call.end(&result);
    result
}

/// Runs a batch to its end.
fn drive<C: ConnectionLike + ?Sized, P, R>(con: &mut C, mut next: Next<P, R>) -> R {
    loop {
        next = match next {
            Next::Done(result) => return result,
            Next::Exchange(mut run) => {
                let responses = drive_exchange(con, run.exchange(proves_unsent(con)));
                run.resume(responses)
            }
        };
    }
}

fn drive_exchange<C: ConnectionLike + ?Sized>(con: &mut C, mut exchange: Exchange<'_>) -> Vec<Response> {
    loop {
        match exchange.next() {
            Some(Outgoing::Command(cmd)) => {
                let reply = send(con, &cmd);
                exchange.resume(reply);
            }
            Some(Outgoing::Pipeline(pipeline)) => {
                let replies = con.req_packed_commands(&pipeline.get_packed_pipeline(), 0, pipeline.len());
                exchange.resume_pipeline(replies);
            }
            None => return exchange.finish(),
        }
    }
}

/// Sends a command.
#[inline]
fn send<C: ConnectionLike + ?Sized>(con: &mut C, cmd: &Cmd) -> RedisResult<Value> {
    if con.supports_pipelining() { con.req_command(cmd) } else { send_to_cluster(con, cmd) }
}

/// Sends a command to a cluster, in parts if its keys are in several slots. The parts behind a failed part are not
/// sent.
fn send_to_cluster<C: ConnectionLike + ?Sized>(con: &mut C, cmd: &Cmd) -> RedisResult<Value> {
    let Some((parts, cmds)) = split(cmd) else { return con.req_command(sharded(cmd).as_ref().unwrap_or(cmd)) };
    let mut responses = Vec::with_capacity(cmds.len());
    for cmd in &cmds {
        responses.push(Ok(flatten(con.req_command(cmd))?));
    }
    parts.join(&mut responses.into_iter()).map_err(|no_reply| no_reply.error)
}

/// Among synchronous connections, only cluster connections do not support pipelines.
fn mode<C: ConnectionLike + ?Sized>(con: &C) -> Mode {
    if con.supports_pipelining() { Mode::Pipelined } else { Mode::Individual }
}

/// A cluster connection tries a command more than once.
fn proves_unsent<C: ConnectionLike + ?Sized>(con: &C) -> ProvesUnsent {
    if con.supports_pipelining() { is_unconnected } else { NEVER_PROVEN }
}
