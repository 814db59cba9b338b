//! Backlogs, which workers start to work off slowly.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use redis_keys::jobs::{Job, Outcome};
use redis_keys::prelude::*;
use redis_keys_tests::Con;
use tokio::sync::Semaphore;

use super::{Gauge, NUMBERS, Running, counts, push_many, start, until, until_idle, worker};
use crate::proxy::{CUT, Proxy};

const SECOND: Duration = Duration::from_secs(1);

/// The first of the jobs that are pushed one by one.
const GATED: u64 = 40;

/// The jobs that have started, which wait for each other.
#[derive(Clone)]
struct Starts {
    times: Arc<Mutex<Vec<Instant>>>,
    gauge: Gauge,
    gate: Arc<Semaphore>,
}

impl Starts {
    fn new() -> Self {
        Self { times: Arc::default(), gauge: Gauge::default(), gate: Arc::new(Semaphore::new(0)) }
    }

    fn handler(&self) -> impl Fn(Job<u64>) -> futures_util::future::BoxFuture<'static, Outcome> + use<> {
        let starts = self.clone();
        move |_| {
            let counted = starts.gauge.enter();
            starts.times.lock().expect("no holder panics").push(Instant::now());
            let gate = Arc::clone(&starts.gate);
            Box::pin(async move {
                _ = gate.acquire().await;
                drop(counted);
                Outcome::Done
            })
        }
    }

    fn len(&self) -> usize {
        self.times.lock().expect("no holder panics").len()
    }

    /// The times from a moment to each start after it.
    fn since(&self, moment: Instant) -> Vec<Duration> {
        let times = self.times.lock().expect("no holder panics");
        times.iter().filter_map(|time| time.checked_duration_since(moment)).collect()
    }
}

#[tokio::test]
async fn a_worker_that_starts_with_a_backlog_runs_twice_as_many_jobs_each_second() {
    let (server, mut con) = start();
    push_many(&mut con, &NUMBERS, 64);
    let worker = worker(&server.url(), NUMBERS).await.with_concurrency(16);
    let starts = Starts::new();
    let started = Instant::now();
    let running = Running::start(&worker, starts.handler());
    until("as many run as can", || starts.len() == 16).await;
    let times = starts.since(started);
    for (second, jobs) in (1..).zip([1..2, 2..4, 4..8, 8..16]) {
        let earliest = times[jobs].iter().min().expect("some have started");
        assert!(*earliest >= SECOND * second, "{earliest:?} instead of {second} s: {times:?}");
    }
    starts.gate.close();
    until("all jobs are done", || worker.stats().done == 64).await;
    running.stop().await;
    assert_eq!(starts.gauge.most.load(SeqCst), 16);
    assert_eq!(counts(&mut con, &NUMBERS), [0, 0, 0]);
}

/// Pushes 16 jobs one by one, which all start before a ramp would let them.
async fn push_and_see_all_start(con: &mut Con, starts: &Starts) {
    let pushed = Instant::now();
    for job in GATED..GATED + 16 {
        con.ok(NUMBERS.push(&job));
    }
    until("all jobs run", || starts.len() == 16).await;
    let times = starts.since(pushed);
    assert!(times.iter().all(|time| *time < 4 * SECOND), "{times:?}");
}

#[tokio::test]
async fn without_a_backlog_as_many_jobs_as_can_run_immediately() {
    let (server, mut con) = start();
    let worker = worker(&server.url(), NUMBERS).await.with_concurrency(16);
    let starts = Starts::new();
    let running = Running::start(&worker, starts.handler());
    until_idle(&mut con).await;
    push_and_see_all_start(&mut con, &starts).await;
    starts.gate.close();
    running.stop().await;
}

#[tokio::test]
async fn a_backlog_that_is_done_limits_nothing() {
    let (server, mut con) = start();
    push_many(&mut con, &NUMBERS, GATED);
    let worker = worker(&server.url(), NUMBERS).await.with_concurrency(16);
    let starts = Starts::new();
    let gated = starts.handler();
    let running = Running::start(&worker, move |job: Job<u64>| {
        if job.value < GATED { Box::pin(std::future::ready(Outcome::Done)) } else { gated(job) }
    });
    until("the backlog is done", || worker.stats().done == GATED).await;
    push_and_see_all_start(&mut con, &starts).await;
    starts.gate.close();
    running.stop().await;
}

#[tokio::test]
async fn after_faults_a_worker_adds_jobs_slowly_to_those_that_still_run() {
    let (server, mut con) = start();
    let is_cut = Arc::new(AtomicBool::new(false));
    let proxy = Proxy::start_with(&server, {
        let is_cut = Arc::clone(&is_cut);
        move |call| if is_cut.load(SeqCst) && call.name == "job_take" { CUT } else { call.forward() }
    });
    let worker = worker(&proxy.url(), NUMBERS).await.with_concurrency(16);
    let starts = Starts::new();
    let running = Running::start(&worker, starts.handler());
    until_idle(&mut con).await;
    push_many(&mut con, &NUMBERS, 2);
    until("both jobs run", || starts.len() == 2).await;
    is_cut.store(true, SeqCst);
    until("the worker notices", || worker.stats().errors >= 2).await;
    push_many(&mut con, &NUMBERS, 20);
    let ended = Instant::now();
    is_cut.store(false, SeqCst);
    until("more jobs run", || starts.len() >= 8).await;
    let times = starts.since(ended);
    // The first one shows the backlog. Then there is room for four jobs after two seconds, three of which run already.
    assert!(times[1] >= 2 * SECOND, "{times:?}");
    assert!(times[2..].iter().all(|time| *time >= 3 * SECOND), "{times:?}");
    starts.gate.close();
    until("all jobs are done", || worker.stats().done == 22).await;
    running.stop().await;
}
