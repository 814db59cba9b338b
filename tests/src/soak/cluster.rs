//! Batches on a cluster whose slots move, whose connections are cut and whose primaries are killed.

use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use redis::aio::ConnectionLike;
use redis_keys::batch_iter;
use redis_keys::prelude::*;
use redis_keys::testing::{Cluster, ClusterNode};
use tokio::sync::RwLock;
use tokio::time::{sleep, timeout};

use super::moves::Mover;
use super::records::{Count, Differences, Fate, Log};

const TASKS: u32 = 4;

/// The number of keys of each kind in a task, and of tuples in a batch.
const KEYS: u32 = 500;

/// The number of slots that move.
const SLOTS: usize = 120;

/// The number of batches after which a task takes new keys, so that they stay small.
const ROUNDS: u32 = 50;

/// No batch takes this long unless its connection is frozen.
const FROZEN: Duration = Duration::from_secs(60);

/// Four tasks, each with a connection of its own, in a loop of batches over 500 tuples `(rpush, incr)`, while about 120
/// slots move between three primaries.
#[derive(Clone, Copy, Debug)]
pub struct ClusterSoak {
    /// Determines which slots move where, which connections are cut, and which primary is killed.
    pub seed: u64,
    /// The time for which the tasks run.
    pub time: Duration,
    /// Whether half of the moves are cancelled half way.
    pub cancels: bool,
    /// Whether all connections to a random primary are cut now and then.
    pub cuts: bool,
    /// Whether a primary is killed in the middle.
    pub kills: bool,
}

/// The results of a [`ClusterSoak`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ClusterReport {
    /// The batches that were run.
    pub batches: u64,
    /// The slots that moved.
    pub moved: u64,
    /// The moves that were cancelled.
    pub cancelled: u64,
    /// The number of times that the connections to a primary were cut.
    pub cut: u64,
    /// The slowest batch.
    pub slowest: Duration,
    /// The connections that answered nothing any more, while a new one did.
    pub frozen: u64,
    /// The commands that were executed more than once.
    pub repeated: u64,
    /// The commands that were answered and whose effect is missing.
    pub lost: u64,
    /// The same on keys of a primary that was killed: it may not have replicated them.
    pub lost_by_failover: u64,
    /// The commands that overtook one on the same key.
    pub disordered: u64,
    /// The commands that were executed and reported as not sent.
    pub denied: u64,
    /// The commands that may have been executed, according to their errors.
    pub unknown: u64,
    /// The commands that were not sent, according to their errors.
    pub not_sent: u64,
}

impl ClusterReport {
    /// Whether each command was executed as reported: once, in its order, and not at all if it was not sent.
    pub fn is_exact(&self) -> bool {
        self.repeated + self.lost + self.disordered + self.denied == 0
    }
}

impl fmt::Display for ClusterReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} batches, {} moves, {} cancelled moves, {} cuts, {} frozen, {} commands repeated, {} lost, {} lost by failover, \
             {} out of order, {} executed though not sent, {} unknown, {} not sent; the slowest batch took {:.2} s",
            self.batches,
            self.moved,
            self.cancelled,
            self.cut,
            self.frozen,
            self.repeated,
            self.lost,
            self.lost_by_failover,
            self.disordered,
            self.denied,
            self.unknown,
            self.not_sent,
            self.slowest.as_secs_f64(),
        )
    }
}

/// The state that the tasks share.
struct SharedState<F> {
    connect: F,
    urls: Mutex<Vec<String>>,
    gate: Arc<RwLock<()>>,
    ends: Instant,
    /// The primary that was killed.
    killed: Mutex<Option<ClusterNode>>,
    /// The slot of each id.
    slots: Vec<u16>,
}

impl ClusterSoak {
    /// Runs it on the connections that `connect` opens, given the addresses of the nodes.
    ///
    /// # Panics
    ///
    /// If the cluster cannot be started, changed or reached.
    pub fn run<C, F, O>(self, connect: F) -> ClusterReport
    where
        C: ConnectionLike + Send + 'static,
        F: Fn(Vec<String>) -> O + Send + Sync + 'static,
        O: Future<Output = C> + Send + 'static,
    {
        let cluster = Cluster::start_with_replicas(self.kills.into()).expect("a cluster starts");
        let mut rng = fastrand::Rng::with_seed(self.seed);
        let slots = slots_of_ids(&cluster);
        let mut moving: Vec<_> = slots.iter().copied().collect::<HashSet<_>>().into_iter().collect();
        moving.sort_unstable();
        rng.shuffle(&mut moving);
        moving.truncate(SLOTS);
        let shared = Arc::new(SharedState {
            connect,
            urls: Mutex::new(cluster.urls()),
            gate: Arc::default(),
            ends: Instant::now() + self.time,
            killed: Mutex::default(),
            slots,
        });
        let mover = Mover::new(cluster, moving, rng, Arc::clone(&shared.gate));

        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.expect("a runtime starts");
        let tasks: Vec<_> = (0..TASKS).map(|task| runtime.spawn(Task::run(Arc::clone(&shared), task))).collect();
        let mover = self.change(mover, &shared);
        let mut report = ClusterReport {
            moved: mover.moved,
            cancelled: mover.cancelled,
            cut: mover.cut,
            ..ClusterReport::default()
        };
        for task in tasks {
            report.add(&runtime.block_on(task).expect("a task does not panic"));
        }
        report
    }

    /// Changes the cluster until the time has passed.
    fn change<F>(self, mut mover: Mover, shared: &SharedState<F>) -> Mover {
        let middle = Instant::now() + self.time / 2;
        let mut kills = self.kills;
        while Instant::now() < shared.ends {
            mover.step(self.cancels);
            if self.cuts {
                mover.maybe_cut();
            }
            if kills && Instant::now() > middle {
                kills = false;
                let node = mover.any_primary();
                *lock(&shared.killed) = Some(node.clone());
                mover.kill(&node);
                *lock(&shared.urls) = mover.cluster.urls();
            }
        }
        mover
    }
}

/// Asks for the slot of each id.
fn slots_of_ids(cluster: &Cluster) -> Vec<u16> {
    let url = cluster.urls().pop().expect("there are nodes");
    let mut con = redis::Client::open(url).and_then(|client| client.get_connection()).expect("the node replies");
    let mut pipe = redis::pipe();
    for id in 0..TASKS * KEYS {
        pipe.cmd("CLUSTER").arg("KEYSLOT").arg(id);
    }
    pipe.query(&mut con).expect("the node replies")
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A task and its connection.
struct Task<C, F> {
    shared: Arc<SharedState<F>>,
    con: C,
    first: u32,
    epoch: u32,
    report: ClusterReport,
}

impl<C, F, O> Task<C, F>
where
    C: ConnectionLike + Send + 'static,
    F: Fn(Vec<String>) -> O,
    O: Future<Output = C>,
{
    async fn run(shared: Arc<SharedState<F>>, task: u32) -> ClusterReport {
        let con = connect(&shared).await;
        let mut task = Self { shared, con, first: task * KEYS, epoch: 0, report: ClusterReport::default() };
        while Instant::now() < task.shared.ends {
            let was_whole = lock(&task.shared.killed).is_none();
            let fates = task.rounds().await;
            task.compare(&fates, was_whole).await;
            task.epoch += 1;
        }
        task.report
    }

    /// Runs batches, and returns the fates of the commands of each id.
    async fn rounds(&mut self) -> Vec<[Vec<Fate>; 2]> {
        let mut fates = vec![[Vec::new(), Vec::new()]; KEYS as usize];
        for round in 0..ROUNDS {
            if Instant::now() >= self.shared.ends {
                break;
            }
            let results = self.batch(round).await;
            if !results.contains(&[Fate::Done; 2]) && self.is_frozen().await {
                self.report.frozen += 1;
                self.con = connect(&self.shared).await;
            }
            for (known, now) in fates.iter_mut().zip(results) {
                known.iter_mut().zip(now).for_each(|(known, now)| known.push(now));
            }
        }
        fates
    }

    async fn batch(&mut self, round: u32) -> Vec<[Fate; 2]> {
        let (first, epoch) = (self.first, self.epoch);
        let commands = (first..first + KEYS).map(|id| (Log { id, epoch }.rpush(&round), Count { id, epoch }.incr()));
        let gate = Arc::clone(&self.shared.gate);
        let _open = gate.read().await;
        let started = Instant::now();
        let results = timeout(FROZEN, batch_iter(commands).query_each_async(&mut self.con)).await;
        self.report.batches += 1;
        self.report.slowest = self.report.slowest.max(started.elapsed());
        let Ok(results) = results else { return vec![[Fate::Unknown; 2]; KEYS as usize] };
        let fates: Vec<_> = results.iter().map(|(push, incr)| [Fate::of(push), Fate::of(incr)]).collect();
        let count = |fate| fates.iter().flatten().filter(|other| **other == fate).count() as u64;
        self.report.unknown += count(Fate::Unknown);
        self.report.not_sent += count(Fate::NotSent);
        fates
    }

    /// Whether the connection does not answer while a new one does.
    async fn is_frozen(&mut self) -> bool {
        let probe = || Count { id: self.first, epoch: self.epoch }.get();
        let patience = Duration::from_secs(10);
        if timeout(patience, probe().query_async(&mut self.con)).await.is_ok_and(|reply| reply.is_ok()) {
            return false;
        }
        let mut new = connect(&self.shared).await;
        timeout(patience, probe().query_async(&mut new)).await.is_ok_and(|reply| reply.is_ok())
    }

    /// Compares what is stored with the fates.
    async fn compare(&mut self, fates: &[[Vec<Fate>; 2]], was_whole: bool) {
        let killed = lock(&self.shared.killed).clone().filter(|_| was_whole);
        for (id, [pushes, incrs]) in (self.first..).zip(fates) {
            let (log, count) = self.stored(id).await;
            let mut found = Differences::of_log(pushes, &log);
            found.add(Differences::of_count(incrs, count));
            let slot = self.shared.slots[id as usize];
            if killed.as_ref().is_some_and(|node| node.serves(slot)) {
                self.report.lost_by_failover += std::mem::take(&mut found.lost);
            }
            self.report.repeated += found.repeated;
            self.report.lost += found.lost;
            self.report.disordered += found.disordered;
            self.report.denied += found.denied;
        }
    }

    async fn stored(&mut self, id: u32) -> (Vec<u32>, u64) {
        let epoch = self.epoch;
        let gate = Arc::clone(&self.shared.gate);
        let _open = gate.read().await;
        for _ in 0..20 {
            let log = Log { id, epoch }.lrange(0..ROUNDS * 2).query_async(&mut self.con).await;
            let count = Count { id, epoch }.get().query_async(&mut self.con).await;
            if let (Ok(log), Ok(count)) = (log, count) {
                return (log, count.unwrap_or(0));
            }
            if self.is_frozen().await {
                self.report.frozen += 1;
                self.con = connect(&self.shared).await;
            }
            // A replica may be about to take over.
            sleep(Duration::from_millis(500)).await;
        }
        panic!("the keys of id {id} cannot be read");
    }
}

async fn connect<C, F, O>(shared: &SharedState<F>) -> C
where
    F: Fn(Vec<String>) -> O,
    O: Future<Output = C>,
{
    let urls = lock(&shared.urls).clone();
    (shared.connect)(urls).await
}

impl ClusterReport {
    fn add(&mut self, other: &Self) {
        self.batches += other.batches;
        self.slowest = self.slowest.max(other.slowest);
        self.frozen += other.frozen;
        self.repeated += other.repeated;
        self.lost += other.lost;
        self.lost_by_failover += other.lost_by_failover;
        self.disordered += other.disordered;
        self.denied += other.denied;
        self.unknown += other.unknown;
        self.not_sent += other.not_sent;
    }
}
