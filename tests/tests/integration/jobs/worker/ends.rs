//! Ends of jobs, and the number that run.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use redis_keys::jobs::{Job, Outcome};
use redis_keys::prelude::*;
use tokio::sync::Semaphore;

use super::{Gauge, Log, NUMBERS, Running, counts, once, push_many, start, until, until_idle, worker};

#[tokio::test(flavor = "multi_thread")]
async fn as_many_jobs_run_as_the_concurrency_says_and_never_more() {
    for concurrency in [1, 8, 150] {
        let (server, mut con) = start();
        let worker = worker(&server.url(), NUMBERS).await.with_concurrency(concurrency);
        let (gauge, gate, log) = (Gauge::default(), Arc::new(Semaphore::new(0)), Log::default());
        let running = Running::start(&worker, {
            let (gauge, gate, log) = (gauge.clone(), Arc::clone(&gate), log.clone());
            move |job: Job<u64>| {
                let (counted, gate, log) = (gauge.enter(), Arc::clone(&gate), log.clone());
                async move {
                    _ = gate.acquire().await;
                    log.add(job.value);
                    drop(counted);
                    Ok::<_, Infallible>(())
                }
            }
        });
        until_idle(&mut con).await;
        push_many(&mut con, &NUMBERS, 400);
        until("as many run", || gauge.now.load(SeqCst) == concurrency).await;
        gate.close();
        until("all jobs are done", || worker.stats().done == 400).await;
        running.stop().await;
        assert_eq!((gauge.most.load(SeqCst), log.runs()), (concurrency, once(400)));
        assert_eq!(counts(&mut con, &NUMBERS), [0, 0, 0]);
        con.assert_all_expire();
    }
}

#[tokio::test]
async fn a_job_that_fails_is_dead_after_its_last_try() {
    let (server, mut con) = start();
    let id = con.ok(NUMBERS.push(&7));
    let worker = worker(&server.url(), NUMBERS).await;
    let log = Log::default();
    let running = Running::start(&worker, {
        let log = log.clone();
        move |job: Job<u64>| {
            log.add(u64::from(job.tries()));
            async { Err::<(), _>("an error") }
        }
    });
    until("the job is dead", || worker.stats().died == 1).await;
    running.stop().await;
    assert_eq!(log.runs(), [(1, 1), (2, 1), (3, 1)].into());
    let stats = worker.stats();
    assert_eq!((stats.taken, stats.retried, stats.done, stats.lost, stats.errors), (3, 2, 0, 0, 0));
    let dead = con.ok(NUMBERS.dead(0..10));
    assert_eq!(dead.iter().map(|job| (job.id(), job.tries())).collect::<Vec<_>>(), [(id, 3)]);
}

#[tokio::test]
async fn a_job_that_fails_waits_for_the_back_off() {
    let (server, mut con) = start();
    con.ok(NUMBERS.push(&7));
    let minute = Duration::from_secs(60);
    let worker = worker(&server.url(), NUMBERS).await.with_backoff(10 * minute, 60 * minute);
    let running = Running::start(&worker, |_: Job<u64>| async { Err::<(), _>("an error") });
    until("the job has failed", || worker.stats().retried == 1).await;
    running.stop().await;
    let left = con.ok(NUMBERS.take(1)).next_due.expect("the job is due some time");
    assert!((7 * minute..13 * minute).contains(&left), "{left:?}");
}

#[tokio::test]
async fn a_job_that_panics_is_tried_again_and_others_go_on() {
    let (server, mut con) = start();
    push_many(&mut con, &NUMBERS, 50);
    let worker = worker(&server.url(), NUMBERS).await;
    let log = Log::default();
    let running = Running::start(&worker, {
        let log = log.clone();
        move |job: Job<u64>| {
            // Before there is a future, and in it.
            assert!(job.value != 3 || job.tries() > 1, "job 3 panics once");
            let log = log.clone();
            async move {
                assert!(job.value != 4 || job.tries() > 2, "job 4 panics twice");
                log.add(job.value);
                Outcome::Done
            }
        }
    });
    until("all jobs are done", || worker.stats().done == 50).await;
    running.stop().await;
    assert_eq!(log.runs(), once(50));
    let stats = worker.stats();
    assert_eq!((stats.panicked, stats.retried, stats.died, stats.lost), (3, 3, 0, 0));
}

#[tokio::test]
async fn a_handler_decides_what_becomes_of_its_job() {
    let (server, mut con) = start();
    push_many(&mut con, &NUMBERS, 4);
    let worker = worker(&server.url(), NUMBERS).await;
    let running = Running::start(&worker, |job: Job<u64>| async move {
        match job.value {
            0 if job.tries() == 1 => Ok(Outcome::Retry),
            0 => Ok(Outcome::Done),
            1 => Ok(Outcome::Bury),
            2 => Ok(Outcome::RetryIn(Duration::from_secs(600))),
            // Longer than its key lives.
            3 => Ok(Outcome::RetryIn(Duration::MAX)),
            _ => Err("no such job"),
        }
    });
    until("all jobs have ended", || counts(&mut con, &NUMBERS) == [0, 2, 1]).await;
    running.stop().await;
    let stats = worker.stats();
    assert_eq!((stats.done, stats.retried, stats.buried, stats.died, stats.errors), (1, 3, 1, 0, 0));
    let longest = Duration::from_secs(86_400 - 3 * 300);
    let key = NUMBERS.key().expect("the key is valid");
    let later = ["ZREVRANGEBYSCORE", &key, "4503599627370495", "-inf", "WITHSCORES", "LIMIT", "0", "1"];
    let last: Vec<(String, f64)> = con.raw(&later);
    let now: [u64; 2] = con.raw(&["TIME"]);
    let due = Duration::from_secs_f64(last[0].1 / 64_000.0).saturating_sub(Duration::from_secs(now[0]));
    assert!(due <= longest + Duration::from_secs(1) && due + Duration::from_secs(60) > longest, "{due:?}");
}

#[tokio::test]
async fn a_job_that_does_not_decode_is_buried() {
    let (server, mut con) = start();
    let key = NUMBERS.key().expect("the key is valid");
    let _: u8 = con.raw(&["ZADD", &key, "0", "00000000000000abcdno number"]);
    let _: u8 = con.raw(&["ZADD", &key, "0", "short"]);
    push_many(&mut con, &NUMBERS, 10);
    let worker = worker(&server.url(), NUMBERS).await.with_concurrency(1);
    let log = Log::default();
    let running = Running::start(&worker, {
        let log = log.clone();
        move |job: Job<u64>| {
            log.add(job.value);
            async { Outcome::Done }
        }
    });
    until("all jobs have ended", || counts(&mut con, &NUMBERS) == [0, 0, 2]).await;
    running.stop().await;
    assert_eq!(log.runs(), once(10));
    let stats = worker.stats();
    assert_eq!((stats.taken, stats.done, stats.undecodable, stats.buried, stats.lost), (12, 10, 2, 2, 0));
}
