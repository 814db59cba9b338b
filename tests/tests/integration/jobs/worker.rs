//! Workers, which take jobs and run them.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis_keys::jobs::{IntoOutcome, Job, JobId, Output, Worker};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys::{Error, SharedConnection};
use redis_keys_tests::{Con, until};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

mod cluster;
mod ends;
mod faults;
mod idle;
mod lease;
mod processes;
mod ramp;
mod reports;
mod shutdown;

const NO_ERROR: &str = "a worker ends without an error";

const REPLIES: &str = "the server replies";

/// The time that a test waits for something that must happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A queue whose leases last longer than any test.
#[derive(Clone, RedisKey)]
#[redis_key(worker:number:{id}:zset, value = u64, ttl = 1d, jobs(lease = 5m, tries = 3))]
struct Numbers {
    id: u32,
}

const NUMBERS: Numbers = Numbers { id: 1 };

/// A queue whose leases are short.
#[derive(Clone, RedisKey)]
#[redis_key(worker:hasty:{id}:zset, value = u64, ttl = 1h, jobs(lease = 1s, tries = 60))]
struct Hasty {
    id: u32,
}

const HASTY: Hasty = Hasty { id: 1 };

#[derive(Clone, RedisKey)]
#[redis_key(worker:patient:{id}:zset, value = u64, ttl = 1h, jobs(lease = 2s, tries = 60))]
struct Patient {
    id: u32,
}

const PATIENT: Patient = Patient { id: 1 };

fn client(url: &str) -> redis::Client {
    redis::Client::open(url).expect("the address is valid")
}

/// A connection manager without a time limit of its own.
async fn manager(url: &str) -> ConnectionManager {
    let config = ConnectionManagerConfig::new().set_response_timeout(None).set_max_delay(Duration::from_millis(20));
    client(url).get_connection_manager_with_config(config).await.expect(REPLIES)
}

/// Creates a worker on a connection manager, which tries failed jobs again immediately.
async fn worker<K: JobKey + Send + Sync + 'static>(url: &str, queue: K) -> Worker<ConnectionManager, K> {
    Worker::new(manager(url).await, queue)
        .with_backoff(Duration::ZERO, Duration::ZERO)
        .with_idle(Duration::from_millis(20))
}

/// A worker that runs in a task.
struct Running {
    shutdown: oneshot::Sender<()>,
    task: JoinHandle<Result<(), Error>>,
}

impl Running {
    fn start<C, K, F, R>(worker: &Worker<C, K>, handler: F) -> Self
    where
        C: SharedConnection,
        K: JobKey + Send + Sync + 'static,
        F: Fn(Job<Output<K>>) -> R + Send + Sync + 'static,
        R: Future<Output: IntoOutcome> + Send + 'static,
        Output<K>: Send + 'static,
    {
        let (shutdown, ends) = oneshot::channel();
        Self { shutdown, task: tokio::spawn(worker.run(handler).until(ends)) }
    }

    /// Shuts the worker down, and waits until it has ended.
    async fn stop(self) {
        _ = self.shutdown.send(());
        let ended = tokio::time::timeout(PATIENCE, self.task).await.expect("the worker ends in time");
        ended.expect("the worker does not panic").expect(NO_ERROR);
    }
}

/// Counts how often each job was done.
#[derive(Clone, Default)]
struct Log {
    runs: Arc<Mutex<HashMap<u64, u32>>>,
}

impl Log {
    fn add(&self, job: u64) {
        *self.runs.lock().expect("no holder panics").entry(job).or_default() += 1;
    }

    fn runs(&self) -> HashMap<u64, u32> {
        self.runs.lock().expect("no holder panics").clone()
    }

    fn len(&self) -> usize {
        self.runs().len()
    }
}

/// Each of this many jobs once.
fn once(jobs: u64) -> HashMap<u64, u32> {
    (0..jobs).map(|job| (job, 1)).collect()
}

fn push_many(con: &mut Con, queue: &impl JobKey<Value = u64>, jobs: u64) -> Vec<JobId> {
    let jobs: Vec<_> = (0..jobs).collect();
    jobs.chunks(500).flat_map(|some| con.ok(queue.push_many(some))).collect()
}

/// Returns how many jobs are due, later, and dead.
fn counts(con: &mut Con, queue: &impl JobKey) -> [u64; 3] {
    let counts = con.ok(queue.counts());
    [counts.due, counts.later, counts.dead]
}

/// The number of scripts that the server has run.
fn scripts(con: &mut Con) -> u64 {
    let info = con.info("commandstats");
    let calls = |name| {
        let line = info.lines().find_map(|line| line.strip_prefix(name)?.split(',').next());
        line.map_or(0, |calls| calls.parse::<u64>().expect("a number"))
    };
    calls("cmdstat_evalsha:calls=") + calls("cmdstat_eval:calls=")
}

/// Waits until a worker has found nothing in its queue, so that it runs all jobs of the next push at once.
async fn until_idle(con: &mut Con) {
    // The first one can be a script that the server does not know yet.
    let before = scripts(con);
    until("the worker is idle", || scripts(con) > before + 2).await;
}

/// Counts how many jobs run at the same time.
#[derive(Clone, Default)]
struct Gauge {
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

/// A job that runs.
struct RunningJob(Gauge);

impl Gauge {
    fn enter(&self) -> RunningJob {
        let now = self.now.fetch_add(1, SeqCst) + 1;
        self.most.fetch_max(now, SeqCst);
        RunningJob(self.clone())
    }
}

impl Drop for RunningJob {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, SeqCst);
    }
}

fn start() -> (Server, Con) {
    let server = Server::start().expect("a server starts");
    let con = Con::blocking(&server.url());
    (server, con)
}
