//! Several commands that are sent together.

use super::context::{Commands, ReplyContext};
use super::reply::{DecodeResult, Replies, Step};
use super::request::{Cmds, Reading, Request};
use super::responses::Responses;
use super::submission::Submission;
use super::{Command, State};
use crate::Error;
use crate::lua::Script;
use crate::observe::command::rejected;
use crate::schema::Schema;

/// The argument of [`batch`]: commands, and tuples, arrays, vectors and batches of commands, arbitrarily nested.
///
/// The output has the same shape. This trait is not meant to be implemented by other crates.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a command, nor a tuple, array or vector of commands",
    label = "not a command",
    note = "a batch takes tuples of up to 12 commands, arrays and `Vec`s, arbitrarily nested; for an iterator write `batch_iter(…)`, also inside a tuple"
)]
pub trait Batch: Sized {
    /// The results.
    type Output;

    /// The results, each with its own error.
    type Each;

    /// The reader of the results from the responses.
    #[doc(hidden)]
    type Plan;

    #[doc(hidden)]
    fn plan(self, submission: &mut Submission) -> Self::Plan;

    #[doc(hidden)]
    fn output(plan: Self::Plan, responses: &mut Responses<'_>) -> Result<Self::Output, Error>;

    #[doc(hidden)]
    fn each(plan: Self::Plan, responses: &mut Responses<'_>) -> Self::Each;
}

/// Combines several commands and sends them in the fewest round trips possible.
///
/// Pass the commands as one argument, for example a tuple or a vector. `run`, `query_async` and [`query`](Many::query)
/// run them and return the results in the same shape. The commands are sent in pipelines of 50, so that a long batch
/// does not hold up other clients. Each command is atomic by itself, and other clients' commands may run in between. If
/// you need all or nothing, use [`atomic`](crate::atomic()).
///
/// Commands on the same key run in their order. The server may not know the script of a command, because it has
/// forgotten its scripts, or because the user may not run the command that carried the script's text. The command is
/// then sent again by itself, unless a later command on the same key has run meanwhile: in this case its error is
/// `NOSCRIPT`, with [`SendStatus::No`](crate::SendStatus::No).
///
/// ```no_run
/// use redis_keys::{batch, prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
/// struct Name { user_id: u64 }
///
/// #[derive(RedisKey)]
/// #[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
/// struct Views { page: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let (name, views) = batch((Name { user_id: 42 }.get(), Views { page: 7 }.incr())).query(&mut con)?;
/// let all: Vec<u64> = batch(vec![Views { page: 8 }.incr(), Views { page: 9 }.incr()]).query(&mut con)?;
/// # let (name, views): (Option<String>, u64) = (name, views);
/// # Ok(()) }
/// ```
///
/// # On a cluster
///
/// On this crate's `cluster::Connection`, the commands travel to their nodes in pipelines of 50. Commands on the same
/// key keep their order.
///
/// An asynchronous cluster connection of redis-rs gets each command separately, up to 10 at the same time: commands on
/// the same key in order, commands on different keys in parallel.
///
/// That connection is recognized by its type, `redis::cluster_async::ClusterConnection`, with the feature `cluster`. If
/// you use a pool, pass its guard as `&mut *guard`. Without the feature, and on a synchronous cluster connection, the
/// commands are sent one after the other.
///
/// A cluster connection is not recognized if you wrap it in another type. This crate's connection still works, in
/// chunks of 50. The connection of redis-rs then sends commands whose keys share a slot as a pipeline, and may run part
/// of the pipeline twice while the slot moves; other commands are sent one after the other.
///
/// With tokio 1.54 and later, redis-rs 1.8 can deadlock when a slot moves while many commands of any tasks are in
/// flight on one of its cluster connections: with 30 commands, at least one connection in four froze within a minute;
/// with 10, none. A frozen connection answers nothing any more. If no reply arrives before the time-out, the batch
/// ends, and its errors say that the connection is stuck and has to be replaced. Give each task that runs batches its
/// own connection, or use this crate's connection, which cannot freeze.
#[doc(alias("pipe", "pipeline", "mset", "mget"))]
pub fn batch<B: Batch>(commands: B /* several: `batch((a, b))` */) -> Many<B> {
    Many { commands }
}

/// A [`batch`] of an iterator's commands. It can be part of a [`batch`] or of an atomic group.
///
/// ```no_run
/// use redis_keys::{batch_iter, prelude::*, redis};
///
/// #[derive(RedisKey)]
/// #[redis_key(page:views:{page}:string, value = u64, ttl = 1d)]
/// struct Views { page: u32 }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let mut con = redis::Client::open("redis://127.0.0.1/")?.get_connection()?;
/// let counts: Vec<u64> = batch_iter((0..1000).map(|page| Views { page }.incr())).query(&mut con)?;
/// # Ok(()) }
/// ```
#[doc(alias("pipe", "pipeline"))]
pub fn batch_iter<I>(commands: I) -> Many<Iter<I::IntoIter>>
where
    I: IntoIterator<Item: Batch>,
{
    Many { commands: Iter { commands: commands.into_iter() } }
}

/// Several commands that are not sent yet, as returned by [`batch`] and [`batch_iter`].
#[must_use = "a batch does nothing until `run` or `query` runs it"]
#[derive(Clone, Debug)]
pub struct Many<B> {
    pub(crate) commands: B,
}

/// A command that waits for its responses.
pub struct Pending<T> {
    state: PendingState<T>,
}

enum PendingState<T> {
    Ready(T),
    Refused(Error),
    ReplyContext {
        schema: &'static Schema,
        script: Option<&'static Script>,
        len: usize,
        reading: Reading<T>,
        renews: bool,
    },
}

impl<T> Pending<T> {
    /// Moves the redis commands of a command into a submission.
    pub(crate) fn new(command: Command<T>, submission: &mut Submission) -> Self {
        let state = match command.state {
            State::Ready(value) => PendingState::Ready(value),
            State::Refused(error) => {
                rejected(&error);
                submission.refuse(&error);
                PendingState::Refused(error)
            }
            State::Request(Request { schema, script, cmds, reading }) => {
                let first = submission.len();
                let renews = matches!(cmds, Cmds::Renewing(_));
                let len = match cmds {
                    Cmds::One(cmd) => {
                        submission.push(cmd, script);
                        1
                    }
                    Cmds::Many(cmds) | Cmds::Renewing(cmds) => {
                        let len = cmds.len();
                        submission.extend(cmds);
                        len
                    }
                };
                submission.assign(schema, reading.accessor, first);
                PendingState::ReplyContext { schema, script, len, reading, renews }
            }
        };
        Self { state }
    }

    /// Reads the result from the next responses.
    pub(crate) fn read(self, responses: &mut Responses<'_>) -> Result<T, Error> {
        let (schema, script, len, reading, renews) = match self.state {
            PendingState::Ready(value) => return Ok(value),
            PendingState::Refused(error) => return Err(error),
            PendingState::ReplyContext { schema, script, len, reading, renews } => {
                (schema, script, len, reading, renews)
            }
        };
        let traffic = responses.next_traffic(len, schema);
        let result = read_next(responses, (schema, script, len), |replies, sent| {
            if renews { reading.read_renewing(replies, sent) } else { (reading.decode)(replies, sent) }
        });
        if let Some(traffic) = traffic {
            traffic.count(reading.accessor, schema, result.as_ref().err());
        }
        result
    }
}

/// Reads the result of a command with this number of redis commands from the next responses.
fn read_next<T>(
    responses: &mut Responses<'_>,
    (schema, script, len): (&'static Schema, Option<&'static Script>, usize),
    read: impl FnOnce(Replies, &ReplyContext<'_>) -> DecodeResult<T>,
) -> Result<T, Error> {
    let first = responses.position;
    let commands = Commands::Range { submission: responses.submission, first, len };
    let sent = ReplyContext { schema, script, commands };
    let replies = responses.next(len).map_err(|(command, failure)| {
        let actual_type = responses.actual_type(first.saturating_add(command));
        sent.error(command, *failure, actual_type)
    })?;
    match read(replies, &sent) {
        Ok(Step::Done(result)) => Ok(result),
        Ok(Step::Then(then)) => {
            let (result, cmds) = *then;
            responses.follow_ups.extend(cmds);
            Ok(result)
        }
        Err(fault) => Err(fault.into_error(&sent)),
    }
}

impl<T> Batch for Command<T> {
    type Output = T;
    type Each = Result<T, Error>;
    type Plan = Pending<T>;

    #[inline]
    fn plan(self, submission: &mut Submission) -> Pending<T> {
        Pending::new(self, submission)
    }

    #[inline]
    fn output(plan: Pending<T>, responses: &mut Responses<'_>) -> Result<T, Error> {
        plan.read(responses)
    }

    #[inline]
    fn each(plan: Pending<T>, responses: &mut Responses<'_>) -> Result<T, Error> {
        plan.read(responses)
    }
}

/// Returns the results, or the first error. It reads all results: their follow-ups are needed.
fn all<T>(mut results: impl Iterator<Item = Result<T, Error>>) -> Result<Vec<T>, Error> {
    let found = results.by_ref().collect();
    results.for_each(drop);
    found
}

/// The commands of an iterator: see [`batch_iter`].
#[derive(Clone, Debug)]
pub struct Iter<I> {
    commands: I,
}

impl<I: Iterator<Item: Batch>> Batch for Iter<I> {
    type Output = Vec<<I::Item as Batch>::Output>;
    type Each = Vec<<I::Item as Batch>::Each>;
    type Plan = Vec<<I::Item as Batch>::Plan>;

    fn plan(self, submission: &mut Submission) -> Self::Plan {
        self.commands.map(|command| command.plan(submission)).collect()
    }

    fn output(plan: Self::Plan, responses: &mut Responses<'_>) -> Result<Self::Output, Error> {
        all(plan.into_iter().map(|plan| I::Item::output(plan, responses)))
    }

    fn each(plan: Self::Plan, responses: &mut Responses<'_>) -> Self::Each {
        plan.into_iter().map(|plan| I::Item::each(plan, responses)).collect()
    }
}

/// A batch inside another one is sent with it.
impl<B: Batch> Batch for Many<B> {
    type Output = B::Output;
    type Each = B::Each;
    type Plan = B::Plan;

    fn plan(self, submission: &mut Submission) -> Self::Plan {
        self.commands.plan(submission)
    }

    fn output(plan: Self::Plan, responses: &mut Responses<'_>) -> Result<Self::Output, Error> {
        B::output(plan, responses)
    }

    fn each(plan: Self::Plan, responses: &mut Responses<'_>) -> Self::Each {
        B::each(plan, responses)
    }
}

impl<B: Batch> Batch for Vec<B> {
    type Output = Vec<B::Output>;
    type Each = Vec<B::Each>;
    type Plan = Vec<B::Plan>;

    fn plan(self, submission: &mut Submission) -> Self::Plan {
        self.into_iter().map(|command| command.plan(submission)).collect()
    }

    fn output(plan: Self::Plan, responses: &mut Responses<'_>) -> Result<Self::Output, Error> {
        all(plan.into_iter().map(|plan| B::output(plan, responses)))
    }

    fn each(plan: Self::Plan, responses: &mut Responses<'_>) -> Self::Each {
        plan.into_iter().map(|plan| B::each(plan, responses)).collect()
    }
}

impl<B: Batch, const N: usize> Batch for [B; N] {
    type Output = [B::Output; N];
    type Each = [B::Each; N];
    type Plan = [B::Plan; N];

    fn plan(self, submission: &mut Submission) -> Self::Plan {
        self.map(|command| command.plan(submission))
    }

    fn output(plan: Self::Plan, responses: &mut Responses<'_>) -> Result<Self::Output, Error> {
        let results: Vec<_> = all(plan.into_iter().map(|plan| B::output(plan, responses)))?;
        // N plans give N results, or an error before this.
        let Ok(results) = results.try_into() else { unreachable!("as many results as commands") };
        Ok(results)
    }

    fn each(plan: Self::Plan, responses: &mut Responses<'_>) -> Self::Each {
        plan.map(|plan| B::each(plan, responses))
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: Batch),*> Batch for ($($name,)*) {
            type Output = ($($name::Output,)*);
            type Each = ($($name::Each,)*);
            type Plan = ($($name::Plan,)*);

            #[allow(non_snake_case, reason = "values are named as their types")]
            fn plan(self, submission: &mut Submission) -> Self::Plan {
                let ($($name,)*) = self;
                ($($name.plan(submission),)*)
            }

            #[allow(non_snake_case, reason = "values are named as their types")]
            fn output(plan: Self::Plan, responses: &mut Responses<'_>) -> Result<Self::Output, Error> {
                let ($($name,)*) = plan;
                $(let $name = $name::output($name, responses);)*
                Ok(($($name?,)*))
            }

            #[allow(non_snake_case, reason = "values are named as their types")]
            fn each(plan: Self::Plan, responses: &mut Responses<'_>) -> Self::Each {
                let ($($name,)*) = plan;
                ($($name::each($name, responses),)*)
            }
        }
    )*};
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}

/// The items of an implementation of `Batch` that never applies.
///
/// It is for types that are rejected in batches with a specific message. They implement `Batch` if a marker implements
/// a trait that nothing implements, and the compiler reports that trait.
macro_rules! not_batchable {
    ($marker:ident) => {
        type Output = std::convert::Infallible;
        type Each = std::convert::Infallible;
        type Plan = std::convert::Infallible;

        fn plan(self, _submission: &mut crate::command::Submission) -> Self::Plan {
            $marker::never()
        }

        fn output(
            plan: Self::Plan,
            _responses: &mut crate::command::Responses<'_>,
        ) -> Result<Self::Output, crate::Error> {
            match plan {}
        }

        fn each(plan: Self::Plan, _responses: &mut crate::command::Responses<'_>) -> Self::Each {
            match plan {}
        }
    };
}

pub(crate) use not_batchable;
