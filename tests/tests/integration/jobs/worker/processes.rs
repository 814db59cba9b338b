//! Several processes work on a queue, and are killed at random.

use std::collections::HashMap;
use std::env;
use std::time::Duration;

use redis::Connection;
use redis_keys::jobs::{Job, Outcome, Worker};
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::{Child, Con, Signals, seed, until, wait_until};

use super::{Running, counts, manager};

const PROCESSES: usize = 4;

const JOBS: usize = 2_000;

/// The number of processes that are killed.
const KILLS: usize = 12;

/// The environment of a child process: the address of the server.
const URL: &str = "REDIS_KEYS_WORKER_URL";

/// The list to which the handlers add the jobs that they have done.
const DONE: &str = "done";

#[derive(RedisKey)]
#[redis_key(worker:killed:{id}:zset, value = u64, ttl = 1d, jobs(lease = 1s, tries = 60))]
struct KilledQueue {
    id: u32,
}

const KILLED: KilledQueue = KilledQueue { id: 1 };

/// Not a test: one of the processes of [`no_job_is_lost_when_processes_are_killed`].
#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs inside another test"]
async fn work_until_killed() {
    let url = env::var(URL).expect("the other test sets the variable");
    let con = manager(&url).await;
    let worker = Worker::new(con.clone(), KILLED).with_concurrency(8).with_idle(Duration::from_millis(20));
    let handler = move |job: Job<u64>| {
        let mut con = con.clone();
        async move {
            tokio::time::sleep(Duration::from_millis(job.value % 10)).await;
            redis::cmd("RPUSH").arg(DONE).arg(job.value).exec_async(&mut con).await
        }
    };
    worker.run(handler).await.expect("a worker ends without an error");
}

fn done(con: &mut Connection) -> usize {
    redis::cmd("LLEN").arg(DONE).query(con).expect("the server replies")
}

#[test]
fn no_job_is_lost_when_processes_are_killed() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    let mut plain =
        redis::Client::open(server.url()).and_then(|client| client.get_connection()).expect("the server replies");
    let mut rng = fastrand::Rng::with_seed(seed());
    let start = || Child::start("jobs::worker::processes::work_until_killed", &[(URL, &server.url())]);
    let mut processes: Vec<_> = (0..PROCESSES).map(|_| start()).collect();
    for kill in 0..KILLS {
        // Most workers have done all jobs before: with a backlog they would run few at a time.
        let (first, last) = (JOBS * kill / KILLS, JOBS * (kill + 1) / KILLS);
        con.ok(KILLED.push_many((first..last).map(|job| job as u64)));
        // Some jobs later.
        let next = rng.usize(first..last);
        wait_until("jobs are done", || done(&mut plain) >= next);
        processes.swap_remove(rng.usize(0..processes.len())).kill();
        processes.push(start());
    }
    wait_until("the queue is empty", || counts(&mut con, &KILLED) == [0, 0, 0]);
    processes.into_iter().for_each(Child::kill);
    let done: Vec<u64> = redis::cmd("LRANGE").arg(DONE).arg(0).arg(-1).query(&mut plain).expect("the server replies");
    let mut runs = HashMap::new();
    for job in &done {
        *runs.entry(*job).or_insert(0_u32) += 1;
    }
    let lost = (0..JOBS as u64).filter(|job| !runs.contains_key(job)).count();
    let doubled = done.len() - runs.len();
    println!("soak: {JOBS} jobs, {KILLS} workers killed, {doubled} jobs done twice");
    assert_eq!(lost, 0);
    // At most those that ran when their process was killed.
    assert!(doubled <= 8 * KILLS, "{doubled}");
}

/// Not a test: the process of [`a_worker_that_was_stopped_changes_nothing_of_a_job_that_another_has`].
#[tokio::test]
#[ignore = "runs inside another test"]
async fn work_until_stopped() {
    let url = env::var(URL).expect("the other test sets the variable");
    let worker = Worker::new(manager(&url).await, KILLED).with_idle(Duration::from_millis(20));
    let running = Running::start(&worker, move |_: Job<u64>| {
        let url = url.clone();
        async move {
            println!("\ntaken");
            // It blocks the thread, so that the job ends as soon as the process goes on.
            Signals::new(&url).wait("go on");
            Outcome::Done
        }
    });
    until("the job has ended", || worker.stats().lost + worker.stats().done == 1).await;
    println!("\nlost {}", worker.stats().lost);
    running.stop().await;
}

#[test]
fn a_worker_that_was_stopped_changes_nothing_of_a_job_that_another_has() {
    let server = Server::start().expect("a server starts");
    let mut con = Con::blocking(&server.url());
    con.ok(KILLED.push(&1));
    let mut stopped = Child::start("jobs::worker::processes::work_until_stopped", &[(URL, &server.url())]);
    stopped.wait_for_line("taken");
    stopped.pause();
    let mut taken = Vec::new();
    wait_until("the lease is over", || {
        taken = con.ok(KILLED.take(1)).jobs;
        !taken.is_empty()
    });
    assert!(con.ok(KILLED.extend(&taken[0])));
    Signals::new(&server.url()).send("go on");
    stopped.resume();
    assert_eq!(stopped.wait_for_line("lost "), "1");
    stopped.finish();
    assert!(con.ok(KILLED.ack(&taken[0])));
}
