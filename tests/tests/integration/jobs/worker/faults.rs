//! Servers and connections that fail.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::time::Duration;

use redis_keys::ErrorKind;
use redis_keys::jobs::{Job, Outcome, Worker};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Con, StoppedServer};
use tokio::sync::Semaphore;

use super::{Log, NUMBERS, Running, client, counts, once, push_many, start, until, until_idle, worker};
use crate::proxy::{CUT, Proxy};

/// A handler that notes its jobs.
fn noting(log: &Log) -> impl Fn(Job<u64>) -> std::future::Ready<Outcome> + use<> {
    let log = log.clone();
    move |job| {
        log.add(job.value);
        std::future::ready(Outcome::Done)
    }
}

#[tokio::test]
async fn a_server_that_stops_for_a_while_costs_nothing() {
    let (server, mut con) = start();
    // Its connection gives up after half a second.
    let client = client(&server.url());
    let worker = Worker::new(client.get_connection_manager().await.expect("the server replies"), NUMBERS)
        .with_idle(Duration::from_millis(20));
    let (gate, log) = (Arc::new(Semaphore::new(0)), Log::default());
    let running = Running::start(&worker, {
        let (gate, log) = (Arc::clone(&gate), log.clone());
        move |job: Job<u64>| {
            let (gate, log) = (Arc::clone(&gate), log.clone());
            async move {
                _ = gate.acquire().await;
                log.add(job.value);
                Ok::<_, ()>(())
            }
        }
    });
    until_idle(&mut con).await;
    push_many(&mut con, &NUMBERS, 5);
    until("the jobs run", || worker.stats().taken == 5).await;
    let stopped = StoppedServer::new(&server);
    gate.close();
    until("the worker notices", || worker.stats().errors >= 2).await;
    drop(stopped);
    until("the jobs are done", || worker.stats().done == 5).await;
    running.stop().await;
    assert_eq!((log.runs(), worker.stats().lost), (once(5), 0));
    assert_eq!(counts(&mut con, &NUMBERS), [0, 0, 0]);
}

#[tokio::test]
async fn a_pushed_job_that_could_not_be_taken_is_taken_after_the_pause() {
    let (server, _) = start();
    let is_cut = Arc::new(AtomicBool::new(false));
    let proxy = Proxy::start_with(&server, {
        let is_cut = Arc::clone(&is_cut);
        move |call| if is_cut.load(SeqCst) && call.name == "job_take" { CUT } else { call.forward() }
    });
    let worker = worker(&proxy.url(), NUMBERS).await.with_idle(Duration::from_secs(3600));
    let pusher = worker.pusher();
    let running = Running::start(&worker, noting(&Log::default()));
    pusher.push(&1).await.expect("the server replies");
    until("the job is done", || worker.stats().done == 1).await;
    is_cut.store(true, SeqCst);
    pusher.push(&2).await.expect("the server replies");
    until("the worker notices", || worker.stats().errors >= 1).await;
    is_cut.store(false, SeqCst);
    until("the other job is done", || worker.stats().done == 2).await;
    running.stop().await;
}

#[tokio::test]
async fn a_server_that_is_started_again_is_used_again() {
    let (server, mut con) = start();
    let port = server.port();
    push_many(&mut con, &NUMBERS, 5);
    let (worker, log) = (worker(&server.url(), NUMBERS).await, Log::default());
    let running = Running::start(&worker, noting(&log));
    until("the jobs are done", || worker.stats().done == 5).await;
    drop(server);
    until("the worker notices", || worker.stats().errors >= 2).await;
    let server = Server::start_on(port).expect("a server starts");
    let mut con = Con::blocking(&server.url());
    push_many(&mut con, &NUMBERS, 5);
    until("the new jobs are done", || worker.stats().done == 10).await;
    running.stop().await;
}

/// Replies to each fourth command of this name are lost.
async fn with_lost_replies(
    name: &'static str,
    outcome: Outcome,
) -> (Worker<redis::aio::ConnectionManager, super::Numbers>, Log, [u64; 3]) {
    let (server, mut con) = start();
    push_many(&mut con, &NUMBERS, 30);
    let number = AtomicUsize::new(0);
    let proxy = Proxy::start_with(&server, move |call| {
        let reply = call.forward();
        if call.name == name && number.fetch_add(1, SeqCst).is_multiple_of(4) { CUT } else { reply }
    });
    let (worker, log) = (worker(&proxy.url(), NUMBERS).await.with_concurrency(2), Log::default());
    let running = Running::start(&worker, {
        let log = log.clone();
        move |job: Job<u64>| {
            log.add(job.value);
            async move { if job.tries() == 1 { outcome } else { Outcome::Done } }
        }
    });
    until("the queue is empty", || matches!(counts(&mut con, &NUMBERS), [0, 0, _])).await;
    running.stop().await;
    assert!(worker.stats().errors > 0);
    let counts = counts(&mut con, &NUMBERS);
    (worker, log, counts)
}

#[tokio::test]
async fn an_acknowledgement_whose_reply_is_lost_is_repeated() {
    let (worker, log, counts) = with_lost_replies("job_ack", Outcome::Done).await;
    assert_eq!((worker.stats().done, worker.stats().lost, counts), (30, 0, [0, 0, 0]));
    assert_eq!(log.runs(), once(30));
}

#[tokio::test]
async fn a_retry_whose_reply_is_lost_is_repeated() {
    let (worker, log, counts) = with_lost_replies("job_reschedule", Outcome::Retry).await;
    let stats = worker.stats();
    assert_eq!((stats.retried, stats.done, stats.lost, counts), (30, 30, 0, [0, 0, 0]));
    assert_eq!(log.runs(), (0..30).map(|job| (job, 2)).collect());
}

#[tokio::test]
async fn a_burial_whose_reply_is_lost_is_repeated() {
    let (worker, log, counts) = with_lost_replies("job_reschedule", Outcome::Bury).await;
    assert_eq!((worker.stats().buried, worker.stats().lost, counts), (30, 0, [0, 0, 30]));
    assert_eq!(log.runs(), once(30));
}

#[tokio::test]
async fn scripts_that_the_server_forgets_are_sent_again() {
    let (server, mut con) = start();
    let (worker, log) = (worker(&server.url(), NUMBERS).await, Log::default());
    let running = Running::start(&worker, noting(&log));
    for round in 1..=30 {
        con.ok(NUMBERS.push_many((0..20_u64).map(|number| round * 20 + number)));
        con.forget_scripts();
        until("the jobs are done", || worker.stats().done == round * 20).await;
    }
    running.stop().await;
    assert_eq!((log.len(), worker.stats().lost), (600, 0));
}

#[tokio::test]
async fn a_key_of_another_type_is_waited_for() {
    let (server, mut con) = start();
    let key = NUMBERS.key().expect("the key is valid");
    let _: String = con.raw(&["SET", &key, "text", "EX", "60"]);
    let (worker, log) = (worker(&server.url(), NUMBERS).await, Log::default());
    let running = Running::start(&worker, noting(&log));
    until("the worker notices", || worker.stats().errors >= 2).await;
    con.ok(NUMBERS.unlink());
    push_many(&mut con, &NUMBERS, 5);
    until("the jobs are done", || worker.stats().done == 5).await;
    running.stop().await;
}

#[derive(RedisKey)]
#[redis_key(worker:named:{name}:zset, value = u64, ttl = 1d, jobs)]
struct NamedQueue {
    name: &'static str,
}

#[tokio::test]
async fn an_invalid_key_is_an_error() {
    let (server, _) = start();
    let worker = Worker::new(
        client(&server.url()).get_multiplexed_async_connection().await.expect("the server replies"),
        NamedQueue { name: "two words" },
    );
    let error = worker.run(|_: Job<u64>| async { Outcome::Done }).await.expect_err("the key is invalid");
    assert_eq!(error.kind(), ErrorKind::Parameter);
    assert_eq!((worker.stats().errors, worker.pusher().push(&1).await.is_err()), (0, true));
}

#[tokio::test]
async fn a_lost_connection_that_does_not_come_back_does_not_end_a_worker() {
    let (server, _) = start();
    let worker = Worker::new(
        client(&server.url()).get_multiplexed_async_connection().await.expect("the server replies"),
        NUMBERS,
    );
    let running = Running::start(&worker, |_: Job<u64>| async { Outcome::Done });
    drop(server);
    until("the worker notices", || worker.stats().errors >= 3).await;
    running.stop().await;
}
