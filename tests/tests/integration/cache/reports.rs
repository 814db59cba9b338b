//! Reports of a cache to `metrics` and `tracing`: templates, and neither keys nor values nor texts of the server.

#![allow(clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis_keys::cache::Cache;
use redis_keys::prelude::*;
use redis_keys::testing::Server;

use super::{NO_LIMIT, multiplexed};
use crate::observe::observed;

const TEMPLATE: &str = "cached:report:{id}:string";

/// In each key, value and error of the test.
const SECRET: &str = "4711";

#[derive(RedisKey)]
#[redis_key(
    cached:report:{id}:string, value = Json<String>, ttl = 1h, jitter = 5m, max_bytes = 100B,
    cache(null_ttl = 5m),
)]
struct Report {
    id: u32,
}

fn report(number: u32) -> Report {
    Report { id: 4_711_000 + number }
}

/// A cache whose steps have no time limit.
async fn start(server: &Server) -> (MultiplexedConnection, Cache<MultiplexedConnection>) {
    let con = multiplexed(&server.url()).await;
    (con.clone(), Cache::new(con).with_time_limit(NO_LIMIT))
}

/// Asks for a report, whose loader returns this.
async fn ask<E>(cache: &Cache<MultiplexedConnection>, number: u32, loaded: Result<Option<&str>, E>) -> Option<String>
where
    E: Send + Sync + 'static,
{
    cache.get_or_load(&report(number), || async { loaded.map(|value| value.map(str::to_owned)) }).await.ok().flatten()
}

#[allow(clippy::unnecessary_wraps, reason = "it is what a loader returns")]
fn found(value: &str) -> Result<Option<&str>, ()> {
    Ok(Some(value))
}

/// Reads, loads and fails in each way that is reported.
async fn use_all(server: &Server) -> Cache<MultiplexedConnection> {
    let (mut con, cache) = start(server).await;
    for _ in 0..3 {
        assert_eq!(ask(&cache, 1, found(SECRET)).await.as_deref(), Some(SECRET));
        assert_eq!(ask(&cache, 2, Ok::<_, ()>(None)).await, None);
    }
    assert_eq!(ask(&cache, 3, Err(SECRET)).await, None);
    assert_eq!(ask(&cache, 4, found(&SECRET.repeat(100))).await, Some(SECRET.repeat(100)));
    let many = [report(5), report(6), report(1)];
    let rows = |_| async { Ok::<_, ()>([(report(5), SECRET.to_owned())]) };
    assert_eq!(cache.get_or_load_many(&many, rows).await.unwrap().iter().flatten().count(), 2);

    let text = report(7).key().unwrap();
    redis::cmd("SET").arg(text.as_str()).arg(SECRET).exec_async(&mut con).await.unwrap();
    assert_eq!(ask(&cache, 7, found(SECRET)).await.as_deref(), Some(SECRET));
    let text = report(8).key().unwrap();
    redis::cmd("RPUSH").arg(text.as_str()).arg(SECRET).exec_async(&mut con).await.unwrap();
    assert_eq!(ask(&cache, 8, found(SECRET)).await.as_deref(), Some(SECRET));
    cache
}

#[tokio::test]
async fn metrics_count_what_the_statistics_count_and_have_only_the_template_as_label() {
    observed!(recorder, _subscriber);
    let server = Server::start().unwrap();
    let cache = use_all(&server).await;
    drop(server);
    assert_eq!(ask(&cache, 9, found(SECRET)).await.as_deref(), Some(SECRET));

    let stats = cache.stats();
    let expected = [
        ("absent_hits", stats.absent_hits),
        ("claims_first", stats.claims_first),
        ("failed_loads", stats.failed_loads),
        ("hits", stats.hits),
        ("loads", stats.loads),
        ("overtaken", stats.overtaken),
        ("refreshes", stats.refreshes),
        ("server_errors", stats.server_errors),
        ("shared", stats.shared),
        ("stale_hits", stats.stale_hits),
        ("unanswered", stats.unanswered),
        ("undecodable", stats.undecodable),
        ("unstorable", stats.unstorable),
    ];
    let named = |(event, count)| (format!("redis_keys_cache_{event}_total template={TEMPLATE}"), count);
    assert_eq!(recorder.counters("redis_keys_cache_"), expected.map(named));
    // `get_or_load_many` has called its loader once, for two keys.
    let loads = format!("redis_keys_cache_load_seconds template={TEMPLATE}");
    assert_eq!(recorder.histograms("redis_keys_cache_"), [(loads, stats.loads - 1)]);
    assert_eq!((stats.hits, stats.absent_hits, stats.loads, stats.failed_loads), (3, 2, 9, 1));
    assert_eq!((stats.unstorable, stats.undecodable, stats.unanswered), (1, 1, 1));
    assert_eq!(recorder.undescribed(), [""; 0]);
}

#[tokio::test]
async fn a_recorder_that_is_installed_later_gets_what_happens_from_then_on() {
    let server = Server::start().unwrap();
    let (_, cache) = start(&server).await;
    ask(&cache, 1, found(SECRET)).await;
    ask(&cache, 1, found(SECRET)).await;
    observed!(recorder, _subscriber);
    ask(&cache, 1, found(SECRET)).await;
    let (_, hits) =
        recorder.counters("redis_keys_cache_").into_iter().find(|(name, _)| name.contains("_cache_hits_")).unwrap();
    assert_eq!((hits, cache.stats().hits), (1, 2));
}

#[tokio::test]
async fn spans_and_events_name_templates_and_kinds_only() {
    observed!(_recorder, subscriber);
    let server = Server::start().unwrap();
    use_all(&server).await;

    let mut lines = subscriber.lines();
    assert_eq!(
        lines.iter().filter(|line| line.contains(SECRET) || line.contains("WRONGTYPE")).count(),
        0,
        "{lines:#?}"
    );
    lines.dedup();
    lines.sort();
    lines.dedup();
    assert_eq!(
        lines,
        [
            format!("DEBUG span cache_load template={TEMPLATE}"),
            format!("DEBUG span cache_miss template={TEMPLATE}"),
            format!("WARN a stored value cannot be decoded: it is loaded again template={TEMPLATE}"),
            format!("WARN a value cannot be stored: it is too large, or has no stored form template={TEMPLATE}"),
            format!("WARN the server replied with an error template={TEMPLATE} kind=WrongType"),
        ]
    );
}

#[tokio::test]
async fn a_loader_runs_in_the_spans_of_its_caller_and_of_the_miss() {
    observed!(_recorder, subscriber);
    let server = Server::start().unwrap();
    let (_, cache) = start(&server).await;
    let request = tracing::info_span!("request");
    let load = cache.get_or_load_detached(report(1), || async {
        tracing::info!("loading");
        Ok::<_, ()>(None)
    });
    tracing::Instrument::instrument(load, request).await.unwrap();
    assert_eq!(subscriber.spans_of("loading"), ["request", "cache_miss", "cache_load"]);
}

#[tokio::test]
async fn the_breaker_reports_when_it_opens_and_closes() {
    observed!(_recorder, subscriber);
    let server = Server::start().unwrap();
    let (mut con, cache) = start(&server).await;
    // Commands on this connection wait until another client adds to the list.
    let waiting = tokio::spawn(async move { redis::cmd("BLPOP").arg("list").arg(0).exec_async(&mut con).await });
    let hasty = cache.clone().with_time_limit(Duration::from_millis(1));
    for number in 0.. {
        if cache.stats().breaker_is_open {
            break;
        }
        ask(&hasty, number, found(SECRET)).await;
    }
    redis::cmd("RPUSH").arg("list").arg(SECRET).exec_async(&mut multiplexed(&server.url()).await).await.unwrap();
    _ = waiting.await.unwrap();
    while cache.stats().breaker_is_open {
        // One call a second tries the server.
        tokio::time::sleep(Duration::from_millis(20)).await;
        ask(&cache, 0, found(SECRET)).await;
    }
    let events: Vec<_> = subscriber.lines().into_iter().filter(|line| !line.contains(" span ")).collect();
    assert_eq!(
        events,
        ["WARN the server does not answer: values are loaded without it", "INFO the server answers again"]
    );
}

#[derive(RedisKey)]
#[redis_key(
    cached:report.refreshed:{id}:string, value = String, ttl = 1h, jitter = 5m,
    cache(null_ttl = 5m, lease = 100ms, refresh = 80%)
)]
struct RefreshedText {
    id: u32,
}

#[tokio::test]
async fn a_failed_refresh_is_reported_since_no_caller_gets_its_error() {
    observed!(_recorder, subscriber);
    let server = Server::start().unwrap();
    let (mut con, cache) = start(&server).await;
    let key = RefreshedText { id: 4711 };
    key.set("old").expire_in(Duration::from_secs(60)).query_async(&mut con).await.unwrap();
    while cache.stats().refreshes == 0 {
        let value = cache.get_or_load(&key, || async { Err::<Option<String>, _>(SECRET) }).await.unwrap();
        assert_eq!(value.as_deref(), Some("old"));
    }
    let template = RefreshedText::SCHEMA.template;
    assert_eq!(
        subscriber.lines(),
        [
            format!("DEBUG span cache_load template={template}"),
            format!("WARN a refresh failed: the old value stays until it expires template={template}")
        ]
    );
}
