//! `Worker`: takes jobs and runs them.
//!
//! A single task, the [`dispatcher`], sends all commands: each [`round_trip`] acknowledges ended jobs, extends leases,
//! and takes as many jobs as there is room for. Each job runs in its own task. Jobs that end during a round trip are
//! acknowledged with the next.

mod backoff;
mod dispatcher;
mod ramp;
mod round_trip;

use std::fmt;
use std::future::{Future, IntoFuture, pending};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;

use self::backoff::Backoff;
use self::dispatcher::Dispatcher;
use super::{Input, Job, JobId, JobKey, Output, Push};
use crate::observe::jobs::Counters;
pub use crate::observe::jobs::Stats;
use crate::{Error, SharedConnection};

/// Takes the jobs of a queue, runs them, and tries them again if they fail.
///
/// ```no_run
/// use redis_keys::{jobs::{Job, Worker}, prelude::*};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Mail { to: String }
///
/// #[derive(RedisKey)]
/// #[redis_key(queue:mail:{tenant}:zset, value = Json<Mail>, ttl = 7d, jobs(lease = 1m, tries = 5))]
/// struct Mails { tenant: u32 }
///
/// # async fn send(mail: Mail) -> Result<(), std::io::Error> { Ok(()) }
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let worker = Worker::new(redis_keys::connect("redis://127.0.0.1/")?, Mails { tenant: 7 }).with_concurrency(8);
/// let shutdown = async {
///     // For example: tokio::signal::ctrl_c().await
/// };
/// worker.run(|job: Job<Mail>| async move { send(job.value).await }).until(shutdown).await?;
/// println!("{:?}", worker.stats());
/// # Ok(()) }
/// ```
///
/// # What happens to a job
///
/// | event | consequence |
/// |---|---|
/// | the handler returns `Ok(())` or [`Outcome::Done`] | the job is removed |
/// | it returns `Err(_)` or [`Outcome::Retry`], or panics | the job is tried again after the [back-off](Self::with_backoff), or is dead if that was its last try. The error is not reported: do that in your handler |
/// | it returns [`Outcome::RetryIn`] or [`Outcome::Bury`] | the job is tried again after that time, or is dead |
/// | the stored bytes do not decode | the job is buried and reported: [`revive`](JobKey::revive) it when a program runs that can read it |
/// | it runs longer than a third of `lease` | the lease is extended, again and again |
/// | another worker has the job, because the lease had ended or the key is gone | the handler is cancelled at its next `await` |
/// | the lease could not be extended until it ended | the handler is cancelled as well |
///
/// If a worker cannot reach the server, or gets an error, it reports that once and continues after growing pauses,
/// until the server is back, the permissions are fixed or the wrong key is removed. If the reply to a command that took
/// a job was lost, the job is taken again after `lease`, which costs it a try.
///
/// # Backlogs
///
/// More jobs may be due than a worker can take when it starts, or when it continues after errors. It then runs a single
/// job at first and doubles the number each second, up to [`with_concurrency`](Self::with_concurrency). So a backlog
/// does not overload the services that your handlers use. The limit ends as soon as no more jobs are due.
///
/// The worker needs a tokio runtime with timers. If your handler blocks its thread, run it in
/// [`spawn_blocking`](tokio::task::spawn_blocking); it cannot be cancelled then.
///
/// # Idle workers
///
/// A worker without jobs sends one command per [`with_idle`](Self::with_idle) interval, and one when a delayed job is
/// due. A job pushed by another program starts at most that much later. Jobs that you push with a
/// [`pusher`](Self::pusher) start immediately.
pub struct Worker<C, K> {
    con: C,
    options: Options,
    shared: Arc<SharedState<K>>,
}

/// The options of a worker.
#[derive(Clone, Copy, Debug)]
struct Options {
    concurrency: usize,
    idle: Duration,
    grace: Duration,
    backoff: Backoff,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            concurrency: 8,
            idle: Duration::from_millis(200),
            grace: Duration::from_secs(30),
            backoff: Backoff { first: Duration::from_secs(1), most: Duration::from_secs(5 * 60) },
        }
    }
}

/// The state that a worker, its clones and its pushers share.
struct SharedState<K> {
    key: K,
    /// Wakes the worker after a push.
    pushed: Notify,
    counters: Counters,
}

impl<C, K> Worker<C, K>
where
    C: SharedConnection,
    K: JobKey + Send + Sync + 'static,
{
    /// Creates a worker for a queue.
    ///
    /// A [`Connection`](crate::Connection) reconnects after a loss; a `MultiplexedConnection` of redis-rs does not.
    pub fn new(con: C, queue: K) -> Self {
        let shared = SharedState { key: queue, pushed: Notify::new(), counters: Counters::default() };
        Self { con, options: Options::default(), shared: Arc::new(shared) }
    }

    /// Sets how many jobs run at the same time, at least one. The default is 8.
    ///
    /// A worker that finds a [backlog](Self#backlogs) runs fewer in its first seconds.
    pub fn with_concurrency(mut self, jobs: usize) -> Self {
        self.options.concurrency = jobs.max(1);
        self
    }

    /// Sets how long an idle worker waits before it looks for jobs again. The default is 200 milliseconds.
    pub fn with_idle(mut self, time: Duration) -> Self {
        self.options.idle = time;
        self
    }

    /// Sets how long jobs may still run after the [shutdown](Run::until) has begun. The default is 30 seconds.
    pub fn with_grace(mut self, time: Duration) -> Self {
        self.options.grace = time;
        self
    }

    /// Sets how long a failed job waits for its next try. The default is 1 second to 5 minutes.
    ///
    /// The wait is `first` after the first try, and doubles after each further try, up to `most`. A random part of up
    /// to a quarter is added or removed. The wait never exceeds `ttl` minus the time of all tries.
    pub fn with_backoff(mut self, first: Duration, most: Duration) -> Self {
        self.options.backoff = Backoff { first, most };
        self
    }

    /// Runs the jobs, [`until`](Run::until) a future is ready, or forever if you await the result.
    ///
    /// Your handler returns a `Result<(), E>` with any error, or an [`Outcome`]. Each job runs in its own task, so the
    /// handler's future must be `'static`: clone the values that it uses.
    ///
    /// ```
    /// # use redis_keys::{SharedConnection, jobs::{Job, Outcome, Worker}, prelude::*};
    /// # #[derive(RedisKey)]
    /// # #[redis_key(queue:thumbnail:{shard}:zset, value = u64, ttl = 1d, jobs)]
    /// # struct Thumbnails { shard: u8 }
    /// # #[derive(Clone)]
    /// # struct Store;
    /// # impl Store { async fn image(&self, id: u64) -> Option<Vec<u8>> { None } }
    /// async fn run<C: SharedConnection>(con: C, store: Store) -> Result<(), redis_keys::Error> {
    ///     let handler = move |job: Job<u64>| {
    ///         let store = store.clone();
    ///         async move {
    ///             match store.image(job.value).await {
    ///                 Some(_image) => Outcome::Done,
    ///                 None => Outcome::Bury,
    ///             }
    ///         }
    ///     };
    ///     Worker::new(con, Thumbnails { shard: 3 }).run(handler).await
    /// }
    /// ```
    pub fn run<F, R>(&self, handler: F) -> Run<C, K, F>
    where
        F: Fn(Job<Output<K>>) -> R + Send + Sync + 'static,
        R: Future<Output: IntoOutcome> + Send + 'static,
        Output<K>: Send + 'static,
    {
        Run::new(self.clone(), handler)
    }

    /// Returns a handle that pushes jobs and wakes this worker.
    pub fn pusher(&self) -> Pusher<C, K> {
        Pusher::new(self.con.clone(), Arc::clone(&self.shared))
    }

    /// Returns the counters of the worker and its clones, also while they run.
    pub fn stats(&self) -> Stats {
        self.shared.counters.stats()
    }
}

/// A clone works on the same queue, and shares the counters.
impl<C: Clone, K> Clone for Worker<C, K> {
    fn clone(&self) -> Self {
        Self { con: self.con.clone(), options: self.options, shared: Arc::clone(&self.shared) }
    }
}

impl<C, K> fmt::Debug for Worker<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stats = self.shared.counters.stats();
        f.debug_struct("Worker").field("options", &self.options).field("stats", &stats).finish_non_exhaustive()
    }
}

/// Pushes jobs to a [`Worker`](Worker)'s queue, and wakes the worker: see [`Worker::pusher`](Worker::pusher).
///
/// It uses the worker's connection.
pub struct Pusher<C, K> {
    con: C,
    shared: Arc<SharedState<K>>,
}

impl<C, K> Pusher<C, K>
where
    C: SharedConnection,
    K: JobKey,
{
    fn new(con: C, shared: Arc<SharedState<K>>) -> Self {
        Self { con, shared }
    }

    /// Pushes a job, which starts immediately if the worker has room for it, and returns its id.
    ///
    /// # Errors
    ///
    /// The same as [`JobKey::push`].
    pub async fn push(&self, job: &Input<K>) -> Result<JobId, Error> {
        self.run(self.shared.key.push(job)).await
    }

    /// Pushes a job that is due after a delay, and returns its id.
    ///
    /// # Errors
    ///
    /// The same as [`Push::delay`].
    pub async fn push_after(&self, job: &Input<K>, delay: Duration) -> Result<JobId, Error> {
        self.run(self.shared.key.push(job).delay(delay)).await
    }

    async fn run(&self, push: Push<JobId>) -> Result<JobId, Error> {
        let id = push.query_async(&mut self.con.clone()).await?;
        self.shared.pushed.notify_one();
        Ok(id)
    }
}

impl<C: Clone, K> Clone for Pusher<C, K> {
    fn clone(&self) -> Self {
        Self { con: self.con.clone(), shared: Arc::clone(&self.shared) }
    }
}

impl<C, K> fmt::Debug for Pusher<C, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pusher").finish_non_exhaustive()
    }
}

/// A worker with its handler, as returned by [`Worker::run`].
///
/// Awaiting it runs jobs forever; [`until`](Self::until) adds an end. To run it in its own task, write
/// `tokio::spawn(worker.run(handler).until(shutdown))`.
#[must_use = "no job runs unless this is awaited"]
pub struct Run<C, K, F> {
    worker: Worker<C, K>,
    handler: F,
}

impl<C, K, F> Run<C, K, F> {
    fn new(worker: Worker<C, K>, handler: F) -> Self {
        Self { worker, handler }
    }

    /// Runs jobs until the future is ready.
    ///
    /// From then on no more jobs are taken, and running jobs have the time of [`with_grace`](Worker::with_grace) to
    /// end. Jobs that still run afterwards are cancelled, and other workers can take them immediately. That try counts,
    /// so a job is dead if it was its last try. If the server does not answer any more, this takes up to 5 seconds
    /// longer, and these jobs are taken again after `lease`.
    ///
    /// If you drop the returned future, the handlers are cancelled, and their jobs are taken again after `lease`.
    ///
    /// # Errors
    ///
    /// If the key is invalid. Other errors are [reported](Worker::stats), and the worker continues.
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

/// Runs jobs forever. The output is an error, if the key is invalid.
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

/// The outcome of a [handler](super::Worker::run), for handlers that need more than a `Result<(), E>`.
///
/// A handler can also return a `Result<Outcome, E>`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The job is done, and removed.
    Done,
    /// The job is tried again after the [back-off](super::Worker::with_backoff), as after an error.
    Retry,
    /// The job is tried again after this time, which counts as a try.
    ///
    /// The time never exceeds `ttl` minus the time of all tries.
    RetryIn(Duration),
    /// The job is dead: it cannot be done, however often it is tried.
    Bury,
}

/// The result of a handler of jobs: a `Result<(), E>` with any error, or an [`Outcome`].
#[diagnostic::on_unimplemented(
    message = "expected a handler that returns `Result<(), E>` or `Outcome`, found one that returns `{Self}`",
    label = "the handler returns `{Self}`",
    note = "a handler returns `Ok(())` if the job is done, and `Err(_)` if it is to be tried again",
    note = "or it returns `Outcome::Done`, `Outcome::Retry`, `Outcome::RetryIn(time)` or `Outcome::Bury`"
)]
pub trait IntoOutcome {
    /// Returns the outcome for the job.
    fn into_outcome(self) -> Outcome;
}

impl IntoOutcome for Outcome {
    fn into_outcome(self) -> Outcome {
        self
    }
}

/// The error's text is not reported: it can contain values.
impl<E> IntoOutcome for Result<(), E> {
    fn into_outcome(self) -> Outcome {
        self.map_or(Outcome::Retry, |()| Outcome::Done)
    }
}

/// Does the same as [`Result<(), E>`](Result), for handlers that use `?`.
impl<E> IntoOutcome for Result<Outcome, E> {
    fn into_outcome(self) -> Outcome {
        self.unwrap_or(Outcome::Retry)
    }
}
