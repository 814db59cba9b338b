//! A worker that runs.

use std::{
    fmt,
    future::{Future, IntoFuture, pending},
    pin::Pin,
};

use super::{IntoOutcome, Worker, dispatcher::Dispatcher};
use crate::{
    Error, SharedConnection,
    jobs::{Job, JobKey, Output},
};

/// A worker with its handler, which [`Worker::run`] returns.
///
/// Awaiting it runs jobs for ever; [`until`](Self::until) adds an end. For a task of its own write
/// `tokio::spawn(worker.run(handler).until(shutdown))`.
#[must_use = "no job runs unless this is awaited"]
pub struct Run<C, K, F> {
    worker: Worker<C, K>,
    handler: F,
}

impl<C, K, F> Run<C, K, F> {
    pub(super) fn new(worker: Worker<C, K>, handler: F) -> Self {
        Self { worker, handler }
    }

    /// Runs jobs until the future is ready.
    ///
    /// Then no more jobs are taken, and those that run have the time of [`grace`](Worker::grace) to end. What still runs is then
    /// cancelled and can be taken by others at once; that try counts, so the job is dead if it was its last one. If the server does
    /// not answer any more, it takes up to 5 seconds longer, and these jobs are taken again after `lease`.
    ///
    /// If the returned future is dropped, the handlers are cancelled, and their jobs are taken again after `lease`.
    ///
    /// # Errors
    ///
    /// If the key is invalid. Other errors are [reported](Worker::stats), and the worker goes on.
    pub fn until<R, S>(self, shutdown: S) -> impl Future<Output = Result<(), Error>> + use<C, K, F, R, S>
    where
        C: SharedConnection,
        K: JobKey + Send + Sync + 'static,
        F: Fn(Job<Output<K>>) -> R + Send + Sync + 'static,
        R: Future<Output: IntoOutcome> + Send + 'static,
        Output<K>: Send + 'static,
        S: Future,
    {
        Dispatcher::new(self.worker, self.handler).run(shutdown)
    }
}

/// Runs jobs for ever: the output is an error, if the key is invalid.
impl<C, K, F, R> IntoFuture for Run<C, K, F>
where
    C: SharedConnection,
    K: JobKey + Send + Sync + 'static,
    F: Fn(Job<Output<K>>) -> R + Send + Sync + 'static,
    R: Future<Output: IntoOutcome> + Send + 'static,
    Output<K>: Send + 'static,
{
    type Output = Result<(), Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.until(pending::<()>()))
    }
}

impl<C, K, F> fmt::Debug for Run<C, K, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run").field("worker", &self.worker).finish_non_exhaustive()
    }
}
