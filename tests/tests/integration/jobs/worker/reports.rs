//! Reports of workers to `metrics` and `tracing`: templates and ids, and neither values nor errors.

use std::time::Duration;

use redis_keys::jobs::{Job, Outcome, Worker};
use redis_keys::prelude::*;

use super::{Running, counts, manager, start, until};
use crate::observe::observed;

const TEMPLATE: &str = "worker:report:{id}:zset";

/// In each key, value and error of the test.
const SECRET: &str = "4711";

#[derive(RedisKey)]
#[redis_key(worker:report:{id}:zset, value = Json<String>, ttl = 1d, jobs(lease = 1m, tries = 2))]
struct Reports {
    id: u32,
}

const REPORTS: Reports = Reports { id: 4711 };

/// Ends as the job says, and contains the secret in each error.
async fn handle(job: Job<String>) -> Result<Outcome, String> {
    tracing::info!("running");
    match &*job.value {
        "4711 fails" => Err(SECRET.to_owned()),
        "4711 panics" => panic!("it panics"),
        "4711 is buried" => Ok(Outcome::Bury),
        "4711 waits" => std::future::pending().await,
        _ => Ok(Outcome::Done),
    }
}

/// Runs jobs that end in each way that is reported.
async fn run_all() -> Worker<redis::aio::ConnectionManager, Reports> {
    let (server, mut con) = start();
    let worker = Worker::new(manager(&server.url()).await, REPORTS);
    let worker = worker.with_backoff(Duration::ZERO, Duration::ZERO).with_idle(Duration::from_millis(20));
    let key = REPORTS.key().expect("the key is valid");
    let _: String = con.raw(&["SET", &key, SECRET, "EX", "60"]);
    let running = Running::start(&worker, handle);
    until("the worker notices", || worker.stats().errors >= 2).await;
    con.ok(REPORTS.unlink());
    for job in ["4711 fails", "4711 panics", "4711 is buried", "4711 is done"] {
        con.ok(REPORTS.push(&job.to_owned()));
    }
    let _: u8 = con.raw(&["ZADD", &key, "0", "00000000000000abcd4711"]);
    // It was tried twice by programs that were killed.
    let _: u8 = con.raw(&["ZADD", &key, "2", "00000000000000abce\"4711\""]);
    until("all jobs have ended", || counts(&mut con, &REPORTS) == [0, 0, 5]).await;
    con.ok(REPORTS.push(&"4711 waits".to_owned()));
    until("the last one runs", || worker.stats().taken == 8).await;
    running.task.abort();
    worker
}

#[tokio::test]
async fn metrics_count_what_the_statistics_count_and_have_only_the_template_as_label() {
    observed!(recorder, _subscriber);
    let worker = run_all().await;
    let stats = worker.stats();
    let expected = [
        ("buried", stats.buried),
        ("died", stats.died),
        ("done", stats.done),
        ("errors", stats.errors),
        ("panicked", stats.panicked),
        ("retried", stats.retried),
        ("taken", stats.taken),
        ("undecodable", stats.undecodable),
    ];
    assert_eq!((stats.taken, stats.done, stats.buried, stats.undecodable), (8, 1, 2, 1));
    assert_eq!((stats.retried, stats.died, stats.panicked, stats.lost), (2, 3, 2, 0));
    let mut counters = recorder.counters("redis_keys_jobs_");
    // All counters exist from the first event on.
    counters.retain(|(_, count)| *count > 0);
    let named = |(event, count)| (format!("redis_keys_jobs_{event}_total template={TEMPLATE}"), count);
    assert_eq!(counters, expected.map(named));
    // Handlers that panic, or are cancelled, have no end.
    let runs = format!("redis_keys_jobs_run_seconds template={TEMPLATE}");
    assert_eq!(recorder.histograms("redis_keys_jobs_"), [(runs, 4)]);
    assert_eq!(recorder.undescribed(), [""; 0]);
}

#[tokio::test]
async fn spans_and_events_name_templates_ids_and_kinds_only() {
    observed!(_recorder, subscriber);
    run_all().await;
    let lines = subscriber.lines();
    assert_eq!(
        lines.iter().filter(|line| line.contains(SECRET) || line.contains("WRONGTYPE")).count(),
        0,
        "{lines:#?}"
    );
    assert_eq!(subscriber.spans_of("running"), ["job"]);
    // Without the ids.
    let mut lines: Vec<_> =
        lines.into_iter().map(|line| line.split(" id=").next().unwrap_or_default().to_owned()).collect();
    lines.sort();
    lines.dedup();
    assert_eq!(
        lines,
        [
            format!("DEBUG a job is tried again template={TEMPLATE}"),
            format!("ERROR the handler of a job panicked template={TEMPLATE}"),
            "INFO running".to_owned(),
            format!("INFO span job template={TEMPLATE}"),
            format!("INFO the worker can use the queue again template={TEMPLATE}"),
            format!("WARN a job cannot be decoded: it is buried template={TEMPLATE}"),
            format!("WARN a job has failed at its last try template={TEMPLATE}"),
            format!("WARN jobs are dead: no try came to an end template={TEMPLATE} number=1"),
            format!("WARN the worker cannot use the queue: it tries again template={TEMPLATE} kind=WrongType"),
        ]
    );
    let failures = subscriber.lines().iter().filter(|line| line.contains("cannot use")).count();
    assert_eq!(failures, 1);
}
