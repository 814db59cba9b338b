//! Running commands that take more than one reply.

use redis::{Cmd, RedisError, RedisResult, Value};

use super::exchange::Exchange;
use crate::Error;
use crate::accessor::Outcome;
use crate::command::context::Commands;
use crate::command::request::{Cmds, Reading, Request};
use crate::command::responses::{ProvesUnsent, Response, flatten, found_types, type_lookups, wrong_types};
use crate::command::submission::Mode;
use crate::command::{Batch, Pending, Replies, ReplyContext, Responses, State, Step, Submission};
use crate::lua::Script;
use crate::observe::command::{BatchCall, Call};
use crate::schema::Schema;
use crate::stored::memory;

/// A batch that is being run: a state machine without I/O that goes from submission to submission.
///
/// First come the batch's own commands. For keys that hold a wrong type, TYPE looks up which, for the error message.
/// Then the results are read. Commands that they require, such as new expiries, are sent last. If that fails, the
/// results are still valid.
pub(crate) enum BatchRun<P, R> {
    Commands {
        plan: P,
        read: Read<P, R>,
        commands: Submission,
        /// The error of a single command that has been sent once.
        first_error: Option<Box<RedisError>>,
    },
    TypeLookups(Box<TypeLookups<P, R>>),
    FollowUps {
        result: R,
        follow_ups: Submission,
    },
}

/// The rare state in which the types of some keys are looked up.
pub(crate) struct TypeLookups<P, R> {
    plan: P,
    read: Read<P, R>,
    commands: Submission,
    responses: Vec<Response>,
    wrong: Vec<usize>,
    lookups: Submission,
}

/// Reads the results of a batch.
type Read<P, R> = fn(P, &mut Responses<'_>) -> R;

/// The next step.
pub(crate) enum Next<P, R> {
    /// Exchange the submission of this run, and resume it.
    Exchange(BatchRun<P, R>),
    Done(R),
}

impl<P, R> Next<P, R> {
    /// The report on the batch that begins with this step.
    pub(crate) fn call(&self) -> BatchCall {
        let calls = match self {
            Self::Exchange(run) => run.submission().calls,
            Self::Done(_) => 0,
        };
        BatchCall::start("PIPELINE", calls)
    }
}

impl<P, R> BatchRun<P, R> {
    /// Starts a batch. If a command was rejected while it was built, `on_refusal` gives the result, or `None` to run
    /// the others.
    pub(crate) fn start<B>(batch: B, mode: Mode, on_refusal: fn(&Error) -> Option<R>, read: Read<P, R>) -> Next<P, R>
    where
        B: Batch<Plan = P>,
    {
        let mut commands = Submission::new(mode);
        let plan = batch.plan(&mut commands);
        if let Some(result) = commands.refusal().and_then(on_refusal) {
            return Next::Done(result);
        }
        commands.open_calls.send();
        Next::Exchange(Self::Commands { plan, read, commands, first_error: None })
    }

    /// Starts with a result, and the commands that it requires.
    pub(crate) fn follow_up(result: R, mode: Mode, cmds: Vec<Cmd>) -> Next<P, R> {
        if cmds.is_empty() {
            return Next::Done(result);
        }
        Next::Exchange(Self::FollowUps { result, follow_ups: Submission::of(mode, cmds) })
    }

    /// The submission to exchange.
    pub(crate) fn submission(&self) -> &Submission {
        match self {
            Self::Commands { commands, .. } => commands,
            Self::TypeLookups(state) => &state.lookups,
            Self::FollowUps { follow_ups, .. } => follow_ups,
        }
    }

    /// The exchange of the submission over one connection.
    pub(crate) fn exchange(&mut self, proves_unsent: ProvesUnsent) -> Exchange<'_> {
        let first_error = match self {
            Self::Commands { first_error, .. } => first_error.take(),
            _ => None,
        };
        let mut exchange = Exchange::new(self.submission(), proves_unsent);
        if let Some(error) = first_error {
            exchange.resume(Err(*error));
        }
        exchange
    }

    /// Takes the responses to the submission.
    pub(crate) fn resume(self, exchanged: Vec<Response>) -> Next<P, R> {
        match self {
            Self::Commands { plan, read, mut commands, first_error: _ } => {
                let wrong = wrong_types(&exchanged);
                if wrong.is_empty() {
                    commands.open_calls.close();
                    return Self::read(plan, read, Responses::new(&commands, exchanged, Vec::new()));
                }
                let lookups = type_lookups(&commands, &wrong, commands.mode());
                let responses = exchanged;
                let state = TypeLookups { plan, read, commands, responses, wrong, lookups };
                Next::Exchange(Self::TypeLookups(Box::new(state)))
            }
            Self::TypeLookups(state) => {
                let TypeLookups { plan, read, mut commands, responses, wrong, lookups: _ } = *state;
                commands.open_calls.close();
                let actual_types = found_types(&wrong, exchanged);
                Self::read(plan, read, Responses::new(&commands, responses, actual_types))
            }
            Self::FollowUps { result, follow_ups: _ } => Next::Done(result),
        }
    }

    fn read(plan: P, read: Read<P, R>, mut responses: Responses<'_>) -> Next<P, R> {
        let result = memory::share(|| read(plan, &mut responses));
        Self::follow_up(result, responses.submission.mode(), responses.follow_ups)
    }
}

/// The rest of a run.
pub(crate) type Rest<T> = Box<Next<Pending<T>, Result<T, Error>>>;

/// Reads the first reply to a single redis command, which usually is the result. Otherwise returns the rest of the run.
#[inline]
pub(crate) fn read_first<T>(
    schema: &'static Schema,
    script: Option<&'static Script>,
    cmd: Cmd,
    reading: Reading<T>,
    reply: RedisResult<Value>,
) -> Result<Result<T, Error>, Rest<T>> {
    match flatten(reply) {
        Ok(reply) => read_value(schema, script, &cmd, reading, reply),
        Err(error) => Err(retry(Request { schema, script, cmds: Cmds::One(cmd), reading }, error)),
    }
}

/// Does the same as [`read_first`], and counts the call.
#[inline(never)]
pub(crate) fn read_first_of<T>(
    call: &mut Call,
    schema: &'static Schema,
    script: Option<&'static Script>,
    cmd: Cmd,
    reading: Reading<T>,
    reply: RedisResult<Value>,
) -> Result<Result<T, Error>, Rest<T>> {
    let reply = match flatten(reply) {
        Ok(reply) => reply,
        Err(error) => {
            call.metrics.hand_over();
            return Err(retry(Request { schema, script, cmds: Cmds::One(cmd), reading }, error));
        }
    };
    let traffic = call.metrics.traffic().map(|mut traffic| {
        traffic.sent(&cmd);
        traffic.received(&reply, schema);
        traffic
    });
    let first = read_value(schema, script, &cmd, reading, reply);
    let error = match &first {
        Ok(Err(error)) => Some(error),
        _ => None,
    };
    if let Some(traffic) = traffic {
        let outcome = if error.is_some() { Outcome::Failed } else { traffic.outcome(reading.accessor) };
        call.metrics.settle(outcome, Some(&traffic));
    }
    call.span.note(error);
    first
}

#[inline]
fn read_value<T>(
    schema: &'static Schema,
    script: Option<&'static Script>,
    cmd: &Cmd,
    reading: Reading<T>,
    reply: Value,
) -> Result<Result<T, Error>, Rest<T>> {
    let sent = ReplyContext { schema, script, commands: Commands::One(cmd) };
    match reading.read(Replies::One(reply), &sent) {
        Ok(Step::Done(result)) => Ok(Ok(result)),
        Ok(Step::Then(then)) => Err(Box::new(BatchRun::follow_up(Ok(then.0), Mode::Individual, then.1))),
        Err(fault) => Ok(Err(fault.into_error(&sent))),
    }
}

/// The run of a single command whose first attempt failed.
#[cold]
fn retry<T>(request: Request<T>, error: RedisError) -> Rest<T> {
    let mut commands = Submission::new(Mode::Individual);
    let plan = Pending::new(State::Request(request).into(), &mut commands);
    commands.open_calls.send();
    let first_error = Some(Box::new(error));
    Box::new(Next::Exchange(BatchRun::Commands { plan, read: Pending::read, commands, first_error }))
}
