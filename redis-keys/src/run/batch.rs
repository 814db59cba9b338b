//! Running commands that take more than one reply.

use redis::{Cmd, RedisError, RedisResult, Value};

use crate::{
    Command, Error,
    command::{
        Batch, Pending, Replies, Responses, Sent, State, Step, Submission,
        request::{Cmds, Reading, Request},
        responses::{Response, flatten, found_types, type_lookups, wrong_types},
        sent::Commands,
        submission::Mode,
    },
    lua::Script,
    schema::Schema,
};

/// A batch that is being run: a state machine without I/O that goes from submission to submission.
///
/// First come the batch's own commands. For keys that hold a wrong type, TYPE looks up which, for the error message. Then the
/// results are read. What they require is sent last, such as new expiries; if that fails, the results are still valid.
pub(crate) enum BatchRun<P, R> {
    Commands { plan: P, read: Read<P, R>, commands: Submission },
    TypeLookups(Box<TypeLookups<P, R>>),
    FollowUps { result: R, follow_ups: Submission },
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

/// What to do next.
pub(crate) enum Next<P, R> {
    /// Exchange the submission of this run, and resume it.
    Exchange(BatchRun<P, R>),
    Done(R),
}

impl<P, R> BatchRun<P, R> {
    /// Starts a batch. If a command was rejected while it was built, `on_refusal` gives the result, or `None` to run the others.
    pub(crate) fn start<B>(batch: B, mode: Mode, on_refusal: fn(&Error) -> Option<R>, read: Read<P, R>) -> Next<P, R>
    where
        B: Batch<Plan = P>,
    {
        let mut commands = Submission::new(mode);
        let plan = batch.plan(&mut commands);
        match commands.refusal().and_then(on_refusal) {
            Some(result) => Next::Done(result),
            None => Next::Exchange(Self::Commands { plan, read, commands }),
        }
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

    /// Takes the responses to the submission.
    pub(crate) fn resume(self, exchanged: Vec<Response>) -> Next<P, R> {
        match self {
            Self::Commands { plan, read, commands } => {
                let wrong = wrong_types(&exchanged);
                if wrong.is_empty() {
                    return Self::read(plan, read, Responses::new(&commands, exchanged, Vec::new()));
                }
                let lookups = type_lookups(&commands, &wrong, commands.mode());
                let responses = exchanged;
                let state = TypeLookups { plan, read, commands, responses, wrong, lookups };
                Next::Exchange(Self::TypeLookups(Box::new(state)))
            }
            Self::TypeLookups(state) => {
                let TypeLookups { plan, read, commands, responses, wrong, lookups: _ } = *state;
                let actual_types = found_types(&wrong, exchanged);
                Self::read(plan, read, Responses::new(&commands, responses, actual_types))
            }
            Self::FollowUps { result, follow_ups: _ } => Next::Done(result),
        }
    }

    fn read(plan: P, read: Read<P, R>, mut responses: Responses<'_>) -> Next<P, R> {
        let result = read(plan, &mut responses);
        Self::follow_up(result, responses.submission.mode(), responses.follow_ups)
    }
}

/// What the first reply to a single redis command leads to.
pub(crate) enum FirstReply<T> {
    /// The usual case: the result.
    Result(Result<T, Error>),
    Unfinished(Box<Unfinished<T>>),
}

/// A run of a single redis command whose first reply is not its result.
pub(crate) struct Unfinished<T> {
    pub(crate) run: BatchRun<Pending<T>, Result<T, Error>>,
    /// The first reply, if it is an error.
    pub(crate) error: Option<RedisError>,
}

/// Reads the first reply to a single redis command.
#[inline]
pub(crate) fn read_first<T>(
    schema: &'static Schema,
    script: Option<&'static Script>,
    cmd: Cmd,
    reading: Reading<T>,
    reply: RedisResult<Value>,
) -> FirstReply<T> {
    let reply = match flatten(reply) {
        Ok(reply) => reply,
        Err(error) => return unfinished(Request { schema, script, cmds: Cmds::One(cmd), reading }, error),
    };
    let sent = Sent { schema, script, commands: Commands::One(&cmd) };
    match reading.read(Replies::One(reply), &sent) {
        Ok(Step::Done(result)) => FirstReply::Result(Ok(result)),
        Ok(Step::Then(then)) => {
            let (result, cmds) = *then;
            let follow_ups = Submission::of(Mode::Individual, cmds);
            let run = BatchRun::FollowUps { result: Ok(result), follow_ups };
            FirstReply::Unfinished(Box::new(Unfinished { run, error: None }))
        }
        Err(fault) => FirstReply::Result(Err(fault.into_error(&sent))),
    }
}

#[cold]
fn unfinished<T>(request: Request<T>, error: RedisError) -> FirstReply<T> {
    let mut commands = Submission::new(Mode::Individual);
    let plan = Pending::new(Command { state: State::Request(request) }, &mut commands);
    let run = BatchRun::Commands { plan, read: Pending::read, commands };
    FirstReply::Unfinished(Box::new(Unfinished { run, error: Some(error) }))
}
