//! Commands that are run together or not at all.

use redis::{Cmd, Pipeline, RedisError, RedisResult, Value};

use super::{
    answers::{Answer, Answers, lost},
    batch::Batch,
    failure::{NEVER_SURE, Unsent},
    round::{Round, Style},
};

use crate::{Error, error::Cause};

/// Several commands between which no other client's come, by MULTI and EXEC: [`query`](Atomic::query),
/// `query_async`.
///
/// It takes what [`batch`](super::batch()) takes. All keys have the same hash tag, so that it means the same on one server and on a
/// cluster; other keys are refused before anything is sent. If the server refuses a command before it runs them, none is run;
/// one that fails while they run, such as for the type of its key, takes nothing from the others.
///
/// A cluster's synchronous connection takes no groups; use its asynchronous one.
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
pub fn atomic<B: Batch>(commands: B) -> Atomic<B> {
    Atomic { commands }
}

/// Several commands that are run together: what [`atomic()`] gives.
#[must_use = "an atomic group does nothing until `query` or `query_async` runs it"]
#[derive(Clone, Debug)]
pub struct Atomic<B> {
    commands: B,
}

impl<B: Batch> Atomic<B> {
    /// Runs the commands on a synchronous connection.
    ///
    /// # Errors
    ///
    /// When a command was refused while it was built, or the keys have not the same hash tag: nothing is sent then. Otherwise
    /// as [`Command::query`](crate::Command::query), with the first error of the group.
    pub fn query<C>(self, con: &mut C) -> Result<B::Output, Error>
    where
        C: redis::ConnectionLike + ?Sized,
    {
        let (round, plan) = self.plan()?;
        if let Some(error) = round.refused(Cause::NoTransactions).filter(|_| !con.supports_pipelining()) {
            return Err(error);
        }
        let (replies, unsent) = match transaction(&round) {
            Some(transaction) => run(con, &transaction),
            None => (Ok(Vec::new()), NEVER_SURE),
        };
        let mut answers = answers(&round, replies, unsent)?;
        let result = B::output(plan, &mut answers);
        crate::run::sync::follow(con, answers.following);
        result
    }

    /// Runs the commands on an asynchronous connection.
    ///
    /// # Errors
    ///
    /// As [`query`](Self::query).
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<B::Output, Error>
    where
        C: redis::aio::ConnectionLike + ?Sized,
    {
        let (round, plan) = self.plan()?;
        let replies = match transaction(&round) {
            Some(transaction) => con.req_packed_commands(&transaction, 0, transaction.len()).await,
            None => Ok(Vec::new()),
        };
        let mut answers = answers(&round, replies, crate::run::asynchronous::unsent::<C>)?;
        let result = B::output(plan, &mut answers);
        if !answers.following.is_empty() {
            Box::pin(crate::run::asynchronous::follow(con, answers.following)).await;
        }
        result
    }

    fn plan(self) -> Result<(Round, B::Plan), Error> {
        let mut round = Round::new(Style::Transaction);
        let plan = self.commands.plan(&mut round);
        match round.refusal() {
            Some(error) => Err(error.clone()),
            None => Ok((round, plan)),
        }
    }
}

/// MULTI, the commands, EXEC, as a pipeline like any other: a cluster's connection then follows where the slot has moved, which
/// is safe since the node that has lost it runs nothing of all that. `None` where there is nothing to be sent.
fn transaction(round: &Round) -> Option<Pipeline> {
    if round.len() == 0 {
        return None;
    }
    let mut pipeline = Pipeline::with_capacity(2 + round.len());
    pipeline.add_command(redis::cmd("MULTI"));
    for cmd in round.commands() {
        pipeline.add_command(Cmd::clone(cmd));
    }
    pipeline.add_command(redis::cmd("EXEC"));
    Some(pipeline)
}

fn run<C>(con: &mut C, transaction: &Pipeline) -> (RedisResult<Vec<Value>>, Unsent)
where
    C: redis::ConnectionLike + ?Sized,
{
    let replies = con.req_packed_commands(&transaction.get_packed_pipeline(), 0, transaction.len());
    (replies, crate::run::sync::unsent(con))
}

/// The replies that EXEC holds, or the error that kept it from running anything.
fn answers(round: &Round, replies: RedisResult<Vec<Value>>, unsent: Unsent) -> Result<Answers<'_>, Error> {
    let answers = match replies {
        Ok(_) if round.len() == 0 => Vec::new(),
        Ok(replies) => executed(replies, round)?,
        Err(error) => vec![lost(error, unsent)],
    };
    Ok(Answers::new(round, answers))
}

fn executed(mut replies: Vec<Value>, round: &Round) -> Result<Vec<Answer>, Error> {
    let (index, error) = match replies.pop() {
        Some(Value::Array(values)) if values.len() == round.len() => return Ok(values.into_iter().map(Ok).collect()),
        Some(Value::ServerError(aborted)) => refused(replies).unwrap_or((0, aborted.into())),
        _ => (0, (redis::ErrorKind::UnexpectedReturnType, "EXEC gave something else").into()),
    };
    match round.failure(index, error) {
        Some(error) => Err(error),
        None => Ok(Vec::new()),
    }
}

/// The command that the server did not take, for which it has run none of them.
fn refused(replies: Vec<Value>) -> Option<(usize, RedisError)> {
    // The first reply is MULTI's.
    replies.into_iter().skip(1).enumerate().find_map(|(index, reply)| match reply {
        Value::ServerError(error) => Some((index, error.into())),
        _ => None,
    })
}
