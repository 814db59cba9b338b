//! Reports of locks to `metrics` and `tracing`: templates, and neither keys nor values nor texts of the server.

use std::time::Duration;

use redis_keys::RedisKey;
use redis_keys::lock::Locks;
use redis_keys::prelude::*;
use redis_keys::testing::Server;
use redis_keys_tests::Con;

use super::keys::{Brisk, theirs};
use super::locks;
use crate::observe::observed;

/// In each key of the test.
const LOCK: Brisk = Brisk { id: 4711 };

/// Acquires a lock, gives up, and loses one.
async fn use_all(server: &Server) {
    let (locks, mut con) = (locks(&server.url()).await, Con::blocking(&server.url()));
    let acquire = |locks: &Locks<_>| locks.acquire(&LOCK);
    for _ in 0..2 {
        let guard = acquire(&locks).await.expect("the lock is free");
        assert!(guard.release().await.expect("the server replies"));
    }
    let guard = acquire(&locks).await.expect("the lock is free");
    acquire(&locks).with_time_limit(Duration::from_millis(5)).await.expect_err("the lock is held");
    con.ok(LOCK.unlink());
    guard.lost().await;
    drop(guard);
    con.ok(LOCK.acquire(&theirs()));
}

#[tokio::test]
async fn metrics_count_by_template() {
    observed!(recorder, _subscriber);
    let server = Server::start().expect("a server starts");
    use_all(&server).await;
    let template = Brisk::SCHEMA.template;
    let expected = [("acquired", 3), ("lost", 1), ("timed_out", 1)];
    assert_eq!(
        recorder.counters("redis_keys_lock_"),
        expected.map(|(event, count)| (format!("redis_keys_lock_{event}_total template={template}"), count))
    );
    assert_eq!(
        recorder.histograms("redis_keys_lock_"),
        [(format!("redis_keys_lock_wait_seconds template={template}"), 3)]
    );
    assert_eq!(recorder.undescribed(), [""; 0]);
}

#[tokio::test]
async fn spans_and_events_name_templates_only() {
    observed!(_recorder, subscriber);
    let server = Server::start().expect("a server starts");
    use_all(&server).await;
    let template = Brisk::SCHEMA.template;
    let span = format!("DEBUG span lock_acquire template={template}");
    assert_eq!(
        subscriber.lines(),
        [
            span.clone(),
            span.clone(),
            span.clone(),
            span,
            format!("INFO a lock was not acquired in time template={template}"),
            format!("WARN a lock was lost while it was held template={template}"),
        ]
    );
}
