//! Many commands at once.

#[cfg(feature = "aio")]
use std::any::Any;

use super::{Command, answers::Answers, part::Part, round::Round};
use crate::Error;
#[cfg(feature = "aio")]
use crate::run::asynchronous::Way;

/// What [`batch`] takes: commands, and tuples, arrays and vectors of them, in one another as you like.
///
/// Nothing has to be implemented for it. What comes back has the same shape.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no command, and no tuple, array or vector of commands",
    label = "not a command",
    note = "a batch takes tuples of up to 12 commands, arrays and `Vec`s, also in one another; for an iterator write `batch_iter(…)`"
)]
pub trait Batch: Sized {
    /// The results.
    type Output;

    /// The results, each with its own error.
    type Each;

    /// What is needed to read the answers.
    #[doc(hidden)]
    type Plan;

    #[doc(hidden)]
    fn plan(self, round: &mut Round) -> Self::Plan;

    #[doc(hidden)]
    fn output(plan: Self::Plan, answers: &mut Answers<'_>) -> Result<Self::Output, Error>;

    #[doc(hidden)]
    fn each(plan: Self::Plan, answers: &mut Answers<'_>) -> Self::Each;
}

/// Several commands in as few round trips as there can be: [`query`](Many::query), `query_async`.
///
/// The commands go in pieces of 50, so that a long batch does not hold up other clients, and each is an atom of its own: other
/// clients' commands may come between them. For all or nothing see [`atomic`](crate::atomic()).
///
/// On a cluster each command goes by itself, up to 30 at the same time: those on one key in their order, others in parallel. In a
/// batch of 100 reads and more, each of one key to which the batch does not write, those of a node go there together, 50 in a
/// pipeline, to a replica where the connection reads from replicas. To know what is where, such a batch, and any of 500 commands,
/// begins with CLUSTER SLOTS. Should a slot move meanwhile, the reads that it holds up go by themselves.
///
/// An asynchronous cluster connection is recognised by its type: `redis::cluster_async::ClusterConnection` with the feature
/// `cluster-async`, and the guard of `deadpool_redis::cluster` with `deadpool` too. Without these features the commands go one
/// after the other, as on a synchronous cluster connection. Give it as it is, and out of another pool's guard as `&mut *guard`.
///
/// Behind a type of your own the commands go one after the other as well; but if all their keys are in one slot, as a pipeline,
/// and redis-rs can run parts of that twice while the slot moves.
///
/// Let each task that runs batches have a connection of its own: with tokio 1.54 and later, redis-rs 1.8 can stand still for ever
/// when a slot moves while more than some 30 commands are on their way on the same connection, whoever sent them.
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
pub fn batch<B: Batch>(commands: B) -> Many<B> {
    Many { commands }
}

/// A [`batch`] of the commands that an iterator gives.
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
pub fn batch_iter<I>(commands: I) -> Many<Iter<I::IntoIter>>
where
    I: IntoIterator<Item: Batch>,
{
    Many { commands: Iter { commands: commands.into_iter() } }
}

/// Several commands, not yet sent: what [`batch`] and [`batch_iter`] give.
#[must_use = "a batch does nothing until `query` or `query_async` runs it"]
#[derive(Clone, Debug)]
pub struct Many<B> {
    commands: B,
}

impl<B: Batch> Many<B> {
    /// Runs the commands on a synchronous connection.
    ///
    /// If one of them was refused while it was built, none is sent. Otherwise all are, and if the server refuses some, the
    /// first error comes back; [`query_each`](Self::query_each) tells which commands were run.
    ///
    /// # Errors
    ///
    /// As [`Command::query`].
    pub fn query<C>(self, con: &mut C) -> Result<B::Output, Error>
    where
        C: redis::ConnectionLike + ?Sized,
    {
        crate::run::sync::run_batch(con, self.commands, refuse_all, B::output)
    }

    /// Runs the commands, and gives the result of each. Those that were refused while they were built are not sent.
    pub fn query_each<C>(self, con: &mut C) -> B::Each
    where
        C: redis::ConnectionLike + ?Sized,
    {
        crate::run::sync::run_batch(con, self.commands, |_| None, B::each)
    }

    /// Runs the commands on an asynchronous connection, as [`query`](Self::query) does on a synchronous one.
    ///
    /// # Errors
    ///
    /// As [`Command::query`].
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_async<C>(self, con: &mut C) -> Result<B::Output, Error>
    where
        C: redis::aio::ConnectionLike + Any,
    {
        crate::run::asynchronous::run_batch(Way::of(con), self.commands, refuse_all, B::output).await
    }

    /// Runs the commands on an asynchronous connection, as [`query_each`](Self::query_each) does on a synchronous one.
    #[cfg(feature = "aio")]
    #[cfg_attr(docsrs, doc(cfg(feature = "aio")))]
    pub async fn query_each_async<C>(self, con: &mut C) -> B::Each
    where
        C: redis::aio::ConnectionLike + Any,
    {
        crate::run::asynchronous::run_batch(Way::of(con), self.commands, |_| None, B::each).await
    }
}

/// One refused command holds back all others.
#[expect(clippy::unnecessary_wraps, reason = "it is one of two ways")]
fn refuse_all<R>(error: &Error) -> Option<Result<R, Error>> {
    Some(Err(error.clone()))
}

impl<T> Batch for Command<T> {
    type Output = T;
    type Each = Result<T, Error>;
    type Plan = Part<T>;

    #[inline]
    fn plan(self, round: &mut Round) -> Part<T> {
        Part::new(self, round)
    }

    #[inline]
    fn output(plan: Part<T>, answers: &mut Answers<'_>) -> Result<T, Error> {
        plan.result(answers)
    }

    #[inline]
    fn each(plan: Part<T>, answers: &mut Answers<'_>) -> Result<T, Error> {
        plan.result(answers)
    }
}

/// The results, or the first error. What comes after that is read all the same, for what is to be sent because of it.
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

    fn plan(self, round: &mut Round) -> Self::Plan {
        self.commands.map(|command| command.plan(round)).collect()
    }

    fn output(plan: Self::Plan, answers: &mut Answers<'_>) -> Result<Self::Output, Error> {
        all(plan.into_iter().map(|part| I::Item::output(part, answers)))
    }

    fn each(plan: Self::Plan, answers: &mut Answers<'_>) -> Self::Each {
        plan.into_iter().map(|part| I::Item::each(part, answers)).collect()
    }
}

impl<B: Batch> Batch for Vec<B> {
    type Output = Vec<B::Output>;
    type Each = Vec<B::Each>;
    type Plan = Vec<B::Plan>;

    fn plan(self, round: &mut Round) -> Self::Plan {
        self.into_iter().map(|command| command.plan(round)).collect()
    }

    fn output(plan: Self::Plan, answers: &mut Answers<'_>) -> Result<Self::Output, Error> {
        all(plan.into_iter().map(|part| B::output(part, answers)))
    }

    fn each(plan: Self::Plan, answers: &mut Answers<'_>) -> Self::Each {
        plan.into_iter().map(|part| B::each(part, answers)).collect()
    }
}

impl<B: Batch, const N: usize> Batch for [B; N] {
    type Output = [B::Output; N];
    type Each = [B::Each; N];
    type Plan = [B::Plan; N];

    fn plan(self, round: &mut Round) -> Self::Plan {
        self.map(|command| command.plan(round))
    }

    fn output(plan: Self::Plan, answers: &mut Answers<'_>) -> Result<Self::Output, Error> {
        let results: Vec<_> = all(plan.into_iter().map(|part| B::output(part, answers)))?;
        // A plan of N parts has given N results, or an error before this.
        let Ok(results) = results.try_into() else { unreachable!("as many results as commands") };
        Ok(results)
    }

    fn each(plan: Self::Plan, answers: &mut Answers<'_>) -> Self::Each {
        plan.map(|part| B::each(part, answers))
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        impl<$($name: Batch),*> Batch for ($($name,)*) {
            type Output = ($($name::Output,)*);
            type Each = ($($name::Each,)*);
            type Plan = ($($name::Plan,)*);

            #[allow(non_snake_case, reason = "the types lend their names")]
            fn plan(self, round: &mut Round) -> Self::Plan {
                let ($($name,)*) = self;
                ($($name.plan(round),)*)
            }

            #[allow(non_snake_case, reason = "the types lend their names")]
            fn output(plan: Self::Plan, answers: &mut Answers<'_>) -> Result<Self::Output, Error> {
                let ($($name,)*) = plan;
                $(let $name = $name::output($name, answers);)*
                Ok(($($name?,)*))
            }

            #[allow(non_snake_case, reason = "the types lend their names")]
            fn each(plan: Self::Plan, answers: &mut Answers<'_>) -> Self::Each {
                let ($($name,)*) = plan;
                ($($name::each($name, answers),)*)
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
