//! Answers to wrong calls: unsatisfiable bounds whose messages tell the user what to write.
//!
//! Commands implement `Future` under such a bound, and scans implement `Batch`, so the compiler reports the bound. Each
//! bound has a lifetime, because the compiler checks a bound without parameters at its declaration. It is a bound on
//! `Never`, because the compiler would report `Future` or `Batch` if the types were the same.

use super::{Atomic, Batch, Blocking, Command, Many};
use crate::Error;

/// The type that carries the bounds.
#[doc(hidden)]
#[derive(Debug)]
pub struct Never;

/// The bound of a command as a future.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is not sent yet: `.run(&con).await` sends it and returns the result",
    label = "`.run(&con)` is missing",
    note = "with a reference `con: &Connection` it is `.run(con).await`, on the guard of a pool `.query_async(&mut *guard).await`"
)]
pub trait AwaitedCommand<'a, T> {}

/// The bound of a command that waits, as a future.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{T}` is not sent yet: `.query_async(&mut con.blocking()).await` sends it and returns the result",
    label = "not a future"
)]
pub trait AwaitedWait<'a, T> {}

/// The bound of a scan as a future.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a scan reads page by page: `.collect(&con).await` returns all elements, and `.stream(&con)` one after the other",
    label = "`.collect(&con)` is missing"
)]
pub trait AwaitedScan<'a, T> {}

/// The bound of a scan that is run as a command.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a scan is several commands: write `.collect(…)` instead of `.run(…)` for all elements, or `.stream(…)` for one after the other",
    label = "not on a scan"
)]
pub trait RunScan {}

/// The bound of a scan in a batch.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a scan cannot be part of a batch: run it by itself with `.collect(&con).await`",
    label = "takes as many commands as the collection has pages",
    note = "collections with a `max_len` can be read whole in a batch, by `members()`, `entries()` and `items()`"
)]
pub trait BatchedScan<'a, T> {}

/// The bound of a command that waits, in a batch.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a command that waits cannot be part of a batch or of a transaction",
    label = "waits for an element",
    note = "in a batch or a transaction, write the command that does not wait, such as `.lpop()`, `.lmove(…)` or `.zpopmin()`"
)]
pub trait BatchedWait<'a, T> {}

/// Makes the compiler answer if this type is used as a future.
macro_rules! not_a_future {
    ($Answer:ident: [$($params:tt)*] $type:ty => $result:ty) => {
        #[doc(hidden)]
        impl<'__a, $($params)*> Future for $type
        where
            crate::command::answers::Never: crate::command::answers::$Answer<'__a, $type>,
        {
            type Output = $result;

            fn poll(self: std::pin::Pin<&mut Self>, _: &mut std::task::Context<'_>) -> std::task::Poll<$result> {
                unreachable!("nothing has this bound")
            }
        }
    };
}

/// Makes the compiler answer if this type is used in a batch.
macro_rules! not_in_a_batch {
    ($Answer:ident: [$($params:tt)*] $type:ty => $result:ty) => {
        #[doc(hidden)]
        impl<'__a, $($params)*> crate::Batch for $type
        where
            crate::command::answers::Never: crate::command::answers::$Answer<'__a, $type>,
        {
            type Output = $result;
            type Each = Result<$result, crate::Error>;
            type Plan = crate::command::Pending<$result>;

            fn plan(self, _submission: &mut crate::command::Submission) -> Self::Plan {
                unreachable!("nothing has this bound")
            }

            fn output(plan: Self::Plan, responses: &mut crate::command::Responses<'_>) -> Result<$result, crate::Error> {
                plan.read(responses)
            }

            fn each(plan: Self::Plan, responses: &mut crate::command::Responses<'_>) -> Self::Each {
                plan.read(responses)
            }
        }
    };
}

pub(crate) use not_a_future;
pub(crate) use not_in_a_batch;

not_a_future!(AwaitedCommand: [T] Command<T> => Result<T, Error>);
not_a_future!(AwaitedCommand: [B: Batch] Many<B> => Result<B::Output, Error>);
not_a_future!(AwaitedCommand: [B: Batch] Atomic<B> => Result<B::Output, Error>);
not_a_future!(AwaitedWait: [T] Blocking<T> => Result<Option<T>, Error>);
not_in_a_batch!(BatchedWait: [T] Blocking<T> => Option<T>);
