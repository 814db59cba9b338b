//! Leases, which are extended while jobs run.

use std::future::pending;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use redis_keys::jobs::{Job, Outcome};
use redis_keys::prelude::*;
use tokio::sync::Semaphore;

use super::{HASTY, Log, PATIENT, Running, counts, once, push_many, start, until, until_idle, worker};
use crate::proxy::{CUT, LateCommand, Proxy};

/// Counts handlers that are dropped before they end.
#[derive(Clone, Default)]
struct Drops(Arc<AtomicUsize>);

impl Drop for Drops {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

/// A handler that never ends.
fn endless(
    dropped: &Arc<AtomicUsize>,
) -> impl Fn(Job<u64>) -> futures_util::future::BoxFuture<'static, Outcome> + use<> {
    let dropped = Arc::clone(dropped);
    move |_| {
        let drops = Drops(Arc::clone(&dropped));
        Box::pin(async move {
            let _drops = drops;
            pending().await
        })
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_that_take_longer_than_their_lease_are_done_once() {
    let (server, mut con) = start();
    let proxy = Proxy::start(&server);
    let holder = worker(&proxy.url(), PATIENT).await.with_concurrency(10);
    let (gate, log) = (Arc::new(Semaphore::new(0)), Log::default());
    let running = Running::start(&holder, {
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
    push_many(&mut con, &PATIENT, 10);
    until("all jobs run", || holder.stats().taken == 10).await;
    // It takes the jobs whose lease has ended.
    let other = worker(&server.url(), PATIENT).await;
    let others = Running::start(&other, |_: Job<u64>| async { Outcome::Done });
    let before = server_ms(&mut con);
    until("the lease would be over twice", || server_ms(&mut con) > before + 5_000).await;
    gate.close();
    until("all jobs are done", || counts(&mut con, &PATIENT) == [0, 0, 0]).await;
    running.stop().await;
    others.stop().await;
    assert_eq!((holder.stats().done, holder.stats().lost, other.stats().taken), (10, 0, 0));
    assert_eq!(log.runs(), once(10));
    let extensions = proxy.count("job_reschedule");
    assert!(extensions >= 10 * 5, "{extensions}");
}

fn server_ms(con: &mut redis_keys_tests::Con) -> u64 {
    let [seconds, micros]: [u64; 2] = con.raw(&["TIME"]);
    seconds * 1000 + micros / 1000
}

#[tokio::test]
async fn a_job_that_is_gone_is_cancelled() {
    let (server, mut con) = start();
    con.ok(HASTY.push(&1));
    let worker = worker(&server.url(), HASTY).await;
    let dropped = Arc::default();
    let running = Running::start(&worker, endless(&dropped));
    until("the job runs", || worker.stats().taken == 1).await;
    con.ok(HASTY.unlink());
    until("the job is lost", || worker.stats().lost == 1).await;
    until("the handler is cancelled", || dropped.load(SeqCst) == 1).await;
    // Its place is free again.
    push_many(&mut con, &HASTY, 8);
    until("other jobs run", || worker.stats().taken == 9).await;
    con.ok(HASTY.unlink());
    until("the handlers are cancelled", || dropped.load(SeqCst) == 9).await;
    running.stop().await;
}

#[tokio::test]
async fn a_job_that_somebody_else_has_taken_is_cancelled() {
    let (server, mut con) = start();
    con.ok(HASTY.push(&1));
    let worker = worker(&server.url(), HASTY).await;
    let dropped = Arc::default();
    let running = Running::start(&worker, endless(&dropped));
    until("the job runs", || worker.stats().taken == 1).await;
    // As if the lease were over: its score is its time, times 64, plus the number of tries.
    let key = HASTY.key().expect("the key is valid");
    let member: Vec<Vec<u8>> = con.raw(&["ZRANGE", &key, "0", "0"]);
    let far = format!("{}", (server_ms(&mut con) + 600_000) * 64 + 2);
    let _: u8 = redis::cmd("ZADD")
        .arg(&*key)
        .arg(far)
        .arg(&member[0])
        .query(&mut redis::Client::open(server.url()).and_then(|client| client.get_connection()).expect("it replies"))
        .expect("it replies");
    until("the handler is cancelled", || dropped.load(SeqCst) == 1).await;
    running.stop().await;
    assert_eq!((worker.stats().lost, worker.stats().retried), (1, 0));
    assert_eq!(counts(&mut con, &HASTY), [0, 1, 0]);
}

#[tokio::test]
async fn a_job_whose_lease_cannot_be_extended_is_cancelled_when_it_is_over() {
    let (server, mut con) = start();
    con.ok(HASTY.push(&1));
    let proxy = Proxy::start_with(&server, |call| if call.name == "job_reschedule" { CUT } else { call.forward() });
    let worker = worker(&proxy.url(), HASTY).await.with_concurrency(1);
    let dropped = Arc::default();
    let running = Running::start(&worker, endless(&dropped));
    until("the job is lost", || worker.stats().lost == 1).await;
    until("the handler is cancelled", || dropped.load(SeqCst) >= 1).await;
    assert!(worker.stats().errors > 0);
    until("it is taken again", || worker.stats().taken == 2).await;
    con.ok(HASTY.unlink());
    running.stop().await;
}

#[tokio::test]
async fn an_extension_that_fails_is_tried_again() {
    let (server, mut con) = start();
    con.ok(PATIENT.push(&1));
    // Half of the extensions are not sent, or their reply is lost.
    let number = AtomicUsize::new(0);
    let proxy = Proxy::start_with(&server, move |call| {
        if call.name != "job_reschedule" {
            return call.forward();
        }
        match number.fetch_add(1, SeqCst) % 4 {
            0 => CUT,
            1 => {
                call.forward();
                CUT
            }
            _ => call.forward(),
        }
    });
    let worker = worker(&proxy.url(), PATIENT).await;
    let gate = Arc::new(Semaphore::new(0));
    let running = Running::start(&worker, {
        let gate = Arc::clone(&gate);
        move |_: Job<u64>| {
            let gate = Arc::clone(&gate);
            async move {
                _ = gate.acquire().await;
                Ok::<_, ()>(())
            }
        }
    });
    until("several extensions have failed", || worker.stats().errors >= 4).await;
    gate.close();
    until("the job has ended", || worker.stats().done + worker.stats().lost == 1).await;
    running.stop().await;
    assert_eq!((worker.stats().taken, worker.stats().done), (1, 1));
}

#[tokio::test]
async fn an_extension_that_arrives_after_the_end_of_the_job_does_not_move_it() {
    let (server, mut con) = start();
    con.ok(PATIENT.push(&1));
    let late = Arc::<Mutex<Option<LateCommand>>>::default();
    let kept = Arc::clone(&late);
    let proxy = Proxy::start_with(&server, move |call| {
        if call.words.iter().any(|word| word == b"extend") {
            *kept.lock().expect("no thread panics") = Some(call.later());
            return CUT;
        }
        call.forward()
    });
    let worker = worker(&proxy.url(), PATIENT).await;
    let gate = Arc::new(Semaphore::new(0));
    let running = Running::start(&worker, {
        let gate = Arc::clone(&gate);
        move |_: Job<u64>| {
            let gate = Arc::clone(&gate);
            async move {
                _ = gate.acquire().await;
                Outcome::RetryIn(Duration::from_secs(15))
            }
        }
    });
    until("an extension is kept back", || late.lock().expect("no thread panics").is_some()).await;
    gate.close();
    until("the job is put off", || worker.stats().retried == 1).await;
    let late = late.lock().expect("no thread panics").take().expect("it was kept back");
    assert_eq!(late(), b":0\r\n");
    let left = con.ok(PATIENT.take(1)).next_due.expect("the job is due later");
    assert!(left > Duration::from_secs(10), "{left:?}");
    running.stop().await;
}
