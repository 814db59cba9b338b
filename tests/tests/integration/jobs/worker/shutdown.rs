//! Shutdowns, which neither lose nor double jobs.

use std::future::{Future as _, pending, poll_fn};
use std::pin::pin;
use std::sync::{Arc, Mutex, mpsc};
use std::task::Poll;
use std::time::Duration;

use redis_keys::jobs::{Job, Outcome};
use redis_keys::prelude::*;
use redis_keys_tests::{StoppedServer, seed};
use tokio::sync::Semaphore;
use tokio::task::yield_now;

use super::{Log, NO_ERROR, NUMBERS, PATIENCE, Running, counts, once, push_many, start, until, until_idle, worker};
use crate::proxy::Proxy;

#[tokio::test(flavor = "multi_thread")]
async fn shutdowns_at_any_time_lose_and_double_nothing() {
    const JOBS: usize = 1_000;
    /// The number of jobs that are pushed at once.
    const PUSHED: usize = 80;
    let (server, mut con) = start();
    let mut rng = fastrand::Rng::with_seed(seed());
    let log = Log::default();
    let (mut shutdowns, mut pushed) = (0, 0);
    while log.len() < JOBS {
        let worker = worker(&server.url(), NUMBERS).await.with_concurrency(rng.usize(1..30));
        let running = Running::start(&worker, {
            let log = log.clone();
            move |job: Job<u64>| {
                let log = log.clone();
                async move {
                    for _ in 0..job.value % 50 {
                        yield_now().await;
                    }
                    log.add(job.value);
                    // Some end long after the shutdown has begun.
                    tokio::time::sleep(Duration::from_micros(job.value % 7 * 500)).await;
                    Ok::<_, ()>(())
                }
            }
        });
        // With a backlog, few jobs run at first: most workers do that of the one before.
        if rng.u8(0..4) > 0 {
            until("the backlog is done", || counts(&mut con, &NUMBERS) == [0, 0, 0]).await;
        }
        let jobs: Vec<_> = (pushed..JOBS.min(pushed + PUSHED)).map(|job| job as u64).collect();
        pushed += jobs.len();
        if !jobs.is_empty() {
            con.ok(NUMBERS.push_many(jobs));
        }
        let jobs = worker.stats().taken + rng.u64(0..PUSHED as u64);
        while worker.stats().taken < jobs && log.len() < pushed {
            yield_now().await;
        }
        running.stop().await;
        let stats = worker.stats();
        assert_eq!((stats.taken, stats.retried, stats.lost), (stats.done, 0, 0), "{stats:?}");
        shutdowns += 1;
    }
    assert!(shutdowns > 10, "{shutdowns}");
    assert_eq!(log.runs(), once(JOBS as u64));
    assert_eq!(counts(&mut con, &NUMBERS), [0, 0, 0]);
}

/// The beginning of a reply without jobs.
const NO_JOBS: &[u8] = b"*2\r\n";

#[tokio::test]
async fn jobs_that_were_being_taken_when_the_shutdown_began_are_done() {
    let (server, mut con) = start();
    let taken = Arc::new(Semaphore::new(0));
    let (release, held) = mpsc::channel::<()>();
    let held = Mutex::new(held);
    let proxy = Proxy::start_with(&server, {
        let taken = Arc::clone(&taken);
        move |call| {
            let reply = call.forward();
            if call.name == "job_take" && !reply.starts_with(NO_JOBS) {
                taken.add_permits(1);
                _ = held.lock().map(|held| held.recv());
            }
            reply
        }
    });
    let worker = worker(&proxy.url(), NUMBERS).await;
    let (shutdown, ends) = tokio::sync::oneshot::channel::<()>();
    let run = worker.run(|_: Job<u64>| async { Outcome::Done }).until(ends);
    let mut run = pin!(run);
    // Until the server has the jobs given out, and the proxy keeps its reply.
    let is_taken = async {
        until_idle(&mut con).await;
        push_many(&mut con, &NUMBERS, 5);
        _ = tokio::time::timeout(PATIENCE, taken.acquire()).await.expect("jobs are taken");
    };
    tokio::select! {
        _ = run.as_mut() => panic!("it ends before the shutdown"),
        () = is_taken => {}
    }
    _ = shutdown.send(());
    poll_fn(|context| {
        assert!(run.as_mut().poll(context).is_pending(), "it waits for the jobs");
        Poll::Ready(())
    })
    .await;
    drop(release);
    tokio::time::timeout(PATIENCE, run).await.expect("it ends").expect(NO_ERROR);
    assert_eq!((worker.stats().taken, worker.stats().done), (5, 5));
    assert_eq!(counts(&mut con, &NUMBERS), [0, 0, 0]);
}

#[tokio::test]
async fn what_runs_when_the_grace_is_over_is_given_back_at_once() {
    let (server, mut con) = start();
    let worker = worker(&server.url(), NUMBERS).await.with_grace(Duration::from_millis(20));
    let running = Running::start(&worker, |job: Job<u64>| async move {
        if job.value == 3 {
            return Outcome::Done;
        }
        pending().await
    });
    until_idle(&mut con).await;
    push_many(&mut con, &NUMBERS, 5);
    until("they run", || worker.stats().done == 1).await;
    running.stop().await;
    assert_eq!((worker.stats().done, worker.stats().retried), (1, 4));
    assert_eq!(counts(&mut con, &NUMBERS), [4, 0, 0]);
    let tries: Vec<_> = con.ok(NUMBERS.take(10)).jobs.iter().map(Job::tries).collect();
    assert_eq!(tries, [2; 4]);
}

#[tokio::test]
async fn an_idle_worker_ends_at_once() {
    let (server, _) = start();
    let worker =
        worker(&server.url(), NUMBERS).await.with_idle(Duration::from_secs(3600)).with_grace(Duration::from_secs(3600));
    let running = Running::start(&worker, |_: Job<u64>| async { Outcome::Done });
    running.stop().await;
}

#[tokio::test]
async fn a_server_that_is_stopped_does_not_keep_a_worker_from_ending() {
    let (server, mut con) = start();
    // The connection waits for ever.
    let worker = worker(&server.url(), NUMBERS).await.with_grace(Duration::ZERO);
    let running = Running::start(&worker, |_: Job<u64>| pending::<Outcome>());
    until_idle(&mut con).await;
    push_many(&mut con, &NUMBERS, 5);
    until("the jobs run", || worker.stats().taken == 5).await;
    let stopped = StoppedServer::new(&server);
    running.stop().await;
    drop(stopped);
}

#[tokio::test]
async fn a_handler_that_cannot_be_cancelled_does_not_keep_a_worker_from_ending() {
    let (server, mut con) = start();
    push_many(&mut con, &NUMBERS, 1);
    let worker = worker(&server.url(), NUMBERS).await.with_grace(Duration::ZERO);
    let (release, blocked) = mpsc::channel::<()>();
    let blocked = Arc::new(Mutex::new(blocked));
    let running = Running::start(&worker, move |_: Job<u64>| {
        let blocked = Arc::clone(&blocked);
        async move {
            let thread = tokio::task::spawn_blocking(move || _ = blocked.lock().map(|blocked| blocked.recv()));
            _ = thread.await;
            Outcome::Done
        }
    });
    until("the job runs", || worker.stats().taken == 1).await;
    running.stop().await;
    assert_eq!(worker.stats().retried, 1);
    drop(release);
}

#[tokio::test]
async fn a_worker_that_is_dropped_cancels_its_jobs() {
    let (server, mut con) = start();
    let worker = worker(&server.url(), NUMBERS).await;
    let alive = Arc::new(());
    let running = Running::start(&worker, {
        let alive = Arc::clone(&alive);
        move |_: Job<u64>| {
            let alive = Arc::clone(&alive);
            async move {
                pending::<()>().await;
                drop(alive);
                Outcome::Done
            }
        }
    });
    until_idle(&mut con).await;
    push_many(&mut con, &NUMBERS, 5);
    until("the jobs run", || worker.stats().taken == 5).await;
    running.task.abort();
    until("the handlers are cancelled", || Arc::strong_count(&alive) == 1).await;
    assert_eq!(counts(&mut con, &NUMBERS), [0, 5, 0]);
}
