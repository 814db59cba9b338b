//! `Worker`: takes jobs and runs them.
//!
//! One task, the [`dispatcher`], owns all that is sent: each [`round_trip`] acknowledges what has ended, extends leases, and takes
//! as many jobs as there is room for. Each job runs in a task of its own. What ends while a round trip is under way is sent with
//! the next one.

mod backoff;
mod dispatcher;
#[cfg(feature = "metrics")]
mod metrics;
mod outcome;
mod pusher;
mod report;
mod round_trip;
mod run;
mod stats;

use std::{fmt, future::Future, sync::Arc, time::Duration};

use tokio::sync::Notify;

use self::{backoff::Backoff, stats::Counters};
pub use self::{
    outcome::{IntoOutcome, Outcome},
    pusher::Pusher,
    run::Run,
    stats::Stats,
};
use super::{Job, JobKey, Output};
use crate::SharedConnection;

/// Takes the jobs of a queue, runs them, and tries them again if they fail.
///
/// ```no_run
/// use redis_keys::{jobs::{Job, Worker}, prelude::*, redis};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Mail { to: String }
///
/// #[derive(RedisKey)]
/// #[redis_key(queue:mail:{tenant}:zset, value = Job<Json<Mail>>, lease = 1m, tries = 5, ttl = 7d)]
/// struct Mails { tenant: u32 }
///
/// # async fn send(mail: Mail) -> Result<(), std::io::Error> { Ok(()) }
/// # async fn example(client: redis::Client) -> Result<(), Box<dyn std::error::Error>> {
/// let worker = Worker::new(client.get_connection_manager().await?, Mails { tenant: 7 }).concurrency(8);
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
/// | what happens | then |
/// |---|---|
/// | the handler returns `Ok(())` or [`Outcome::Done`] | the job is removed |
/// | it returns `Err(_)` or [`Outcome::Retry`], or panics | the job is tried again after the [back-off](Self::backoff), or is dead if that was its last try. The error is not reported: do that in the handler |
/// | it returns [`Outcome::RetryIn`] or [`Outcome::Bury`] | the job is tried again after that time, or is dead |
/// | the stored bytes do not decode | the job is buried and reported: [`revive`](JobKey::revive) it when a program runs that can read it |
/// | it runs longer than a third of `lease` | the lease is extended, again and again |
/// | somebody else has the job, since the lease was over or the key is gone | the handler is cancelled at its next `await` |
/// | the lease could not be extended until it was over | so is it |
///
/// A worker that cannot reach the server, or gets an error from it, reports that once, and goes on after growing pauses: until it
/// is back, until somebody has mended the permissions or has removed the wrong key. A job that was taken by a command whose reply
/// got lost is taken again after `lease`, which costs it a try.
///
/// It needs a runtime of tokio with timers. A handler that blocks its thread belongs into
/// [`spawn_blocking`](tokio::task::spawn_blocking), and cannot be cancelled.
///
/// # Idle workers
///
/// A worker without jobs sends one command each [`idle`](Self::idle), and one when a job is due that was pushed with a delay. A
/// job of another program starts at most that much later. Those that are pushed with a [`pusher`](Self::pusher) start at once.
pub struct Worker<C, K> {
    con: C,
    options: Options,
    shared: Arc<Shared<K>>,
}

/// How a worker runs jobs.
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

/// What a worker, its clones and its pushers share.
struct Shared<K> {
    key: K,
    /// Wakes the worker when a job was pushed.
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
    /// Prefer a `ConnectionManager`, which reconnects automatically; a `MultiplexedConnection` does not.
    pub fn new(con: C, queue: K) -> Self {
        let shared = Shared { key: queue, pushed: Notify::new(), counters: Counters::default() };
        Self { con, options: Options::default(), shared: Arc::new(shared) }
    }

    /// Sets how many jobs run at the same time, at least one; 8 if it is not set.
    pub fn concurrency(mut self, jobs: usize) -> Self {
        self.options.concurrency = jobs.max(1);
        self
    }

    /// Sets how long an idle worker waits until it looks for jobs again; 200 milliseconds if it is not set.
    pub fn idle(mut self, time: Duration) -> Self {
        self.options.idle = time;
        self
    }

    /// Sets how long jobs may still run after the [shutdown](Run::until) has begun; 30 seconds if it is not set.
    pub fn grace(mut self, time: Duration) -> Self {
        self.options.grace = time;
        self
    }

    /// Sets how long a job that has failed waits: `first` after the first try, twice as long after each further one, at most `most`.
    /// If it is not set, it waits for 1 second to 5 minutes.
    ///
    /// A quarter of it is added or removed at random. It is never longer than `ttl` less the time of all tries.
    pub fn backoff(mut self, first: Duration, most: Duration) -> Self {
        self.options.backoff = Backoff { first, most };
        self
    }

    /// Runs the jobs: [`until`](Run::until) something happens, or for ever if the result is awaited.
    ///
    /// The handler returns a `Result<(), E>` with any error, or an [`Outcome`]. Each job runs in a task of its own, so its future is
    /// `'static`: the handler clones what it uses.
    ///
    /// ```
    /// # use redis_keys::{SharedConnection, jobs::{Job, Outcome, Worker}, prelude::*};
    /// # #[derive(RedisKey)]
    /// # #[redis_key(queue:thumbnail:{shard}:zset, value = Job<u64>, ttl = 1d)]
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

    /// Returns what the worker and its clones have done so far, also while they run.
    pub fn stats(&self) -> Stats {
        self.shared.counters.stats()
    }
}

/// A clone works on the same queue, and shares what is counted.
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
