//! Workers without jobs.

use std::time::{Duration, Instant};

use redis_keys::jobs::{Job, Outcome};
use redis_keys::prelude::*;
use tokio::sync::mpsc;

use super::{NUMBERS, PATIENCE, REPLIES, Running, scripts, start, until, worker};

/// Longer than any test.
const LONG: Duration = Duration::from_secs(3600);

#[tokio::test(flavor = "multi_thread")]
async fn a_push_through_the_worker_wakes_it() {
    let (server, _) = start();
    let worker = worker(&server.url(), NUMBERS).await.with_idle(LONG);
    let pusher = worker.pusher();
    let (sender, mut started) = mpsc::unbounded_channel();
    let running = Running::start(&worker, move |job: Job<u64>| {
        _ = sender.send(job.value);
        async { Ok::<_, ()>(()) }
    });
    for number in 0..2_000 {
        // Some while the worker is about to wait, some while it is taking jobs.
        pusher.clone().push(&number).await.expect(REPLIES);
        let job = tokio::time::timeout(PATIENCE, started.recv()).await.expect("the job starts at once");
        assert_eq!(job, Some(number));
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_are_pushed_together_all_start() {
    let (server, _) = start();
    let worker = worker(&server.url(), NUMBERS).await.with_idle(LONG).with_concurrency(3);
    let running = Running::start(&worker, |_: Job<u64>| async { Outcome::Done });
    let pushes = (0..300).map(|number| {
        let pusher = worker.pusher();
        tokio::spawn(async move { pusher.push(&number).await.expect(REPLIES) })
    });
    for push in pushes.collect::<Vec<_>>() {
        push.await.expect("no push panics");
    }
    until("all jobs are done", || worker.stats().done == 300).await;
    running.stop().await;
}

#[tokio::test]
async fn delayed_jobs_start_when_they_are_due() {
    let (server, mut con) = start();
    let worker = worker(&server.url(), NUMBERS).await.with_idle(LONG);
    let pusher = worker.pusher();
    let delay = Duration::from_millis(80);
    let (sender, mut started) = mpsc::unbounded_channel();
    let running = Running::start(&worker, move |job: Job<u64>| {
        _ = sender.send(job.id());
        async { Ok::<_, ()>(()) }
    });
    for number in 0..3 {
        pusher.push_after(&number, delay).await.expect(REPLIES);
        let id = tokio::time::timeout(PATIENCE, started.recv()).await.expect("the job starts").expect("a job");
        let [seconds, micros]: [u64; 2] = con.raw(&["TIME"]);
        let now = std::time::UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_micros(micros);
        assert!(now >= id.pushed_at() + delay);
    }
    running.stop().await;
}

#[tokio::test]
async fn an_idle_worker_sends_one_command_each_time() {
    let (server, mut con) = start();
    let idle = Duration::from_millis(100);
    let worker = worker(&server.url(), NUMBERS).await.with_idle(idle);
    // One that is due much later changes nothing.
    con.ok(NUMBERS.push(&7).delay(Duration::from_secs(600)));
    let running = Running::start(&worker, |_: Job<u64>| async { Outcome::Done });
    until("it is idle", || scripts(&mut con) > 2).await;
    let (before, started) = (scripts(&mut con), Instant::now());
    until("it has looked several times", || scripts(&mut con) >= before + 10).await;
    let sent = scripts(&mut con) - before;
    let periods = started.elapsed().as_millis() / idle.as_millis();
    assert!(u128::from(sent) <= periods + 1, "{sent} commands in {periods} periods");
    running.stop().await;
    assert_eq!(worker.stats().taken, 0);
}
