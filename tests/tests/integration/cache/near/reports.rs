//! Reports of near copies: templates, and neither keys nor values.

use std::time::{Duration, Instant};

use redis_keys::prelude::*;
use redis_keys_tests::{Child, until};

use super::keys::{Number, Text};
use super::{copied, hits, kill_tracked_clients, new_ids, put, read, start};
use crate::cache::load_source::Source;
use crate::cache::{NO_ERROR, PATIENCE};
use crate::observe::{Recorder, observed};

/// In each key and value of the test.
const SECRET: u64 = 4711;

fn of_template(recorder: &Recorder, template: &str) -> Vec<(String, u64)> {
    let label = format!(" template={template}");
    let counters = recorder.counters("redis_keys_cache_near_").into_iter();
    counters.filter_map(|(name, count)| Some((name.strip_suffix(&label)?.to_owned(), count))).collect()
}

fn count(recorder: &Recorder, name: &str) -> u64 {
    let counters = of_template(recorder, Number::SCHEMA.template);
    let name = format!("redis_keys_cache_near_{name}_total");
    counters.into_iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| count)
}

/// In a process of its own: its gauge counts the bytes of all caches of the process.
#[test]
fn metrics_count_what_the_statistics_count_for_each_template() {
    Child::start("cache::near::reports::count_each_template", &[]).finish();
}

#[tokio::test]
#[ignore = "runs inside another test"]
#[allow(clippy::cast_precision_loss, reason = "metrics are floats")]
async fn count_each_template() {
    observed!(recorder, subscriber);
    let (_server, cache, mut con) = start();
    let key = Number { id: SECRET };
    put(&mut con, &key, SECRET);
    copied(&cache, &key).await;
    for _ in 0..50 {
        read(&cache, &key).await;
    }
    // A change that this process makes while it reads.
    let own = super::connect(con.url());
    for _ in 0..10_000 {
        if cache.stats().near.overtaken > 0 {
            break;
        }
        cache.invalidate(&key).await.expect("the server replies");
        put(&mut con, &key, SECRET);
        let (value, set) = tokio::join!(read(&cache, &key), key.set(&SECRET).run(&own));
        assert_eq!((value, set.is_ok()), (Some(SECRET), true));
    }
    copied(&cache, &key).await;
    let _: String = con.raw(&["FLUSHALL"]);
    put(&mut con, &key, SECRET);
    until("the flush has arrived", || {
        // The read of a key notices it.
        futures_util::FutureExt::now_or_never(read(&cache, &Number { id: SECRET + 1 }));
        cache.stats().near.flushes > 0
    })
    .await;
    assert!(kill_tracked_clients(&mut con) > 0);
    let began = Instant::now();
    while cache.stats().near.connections_lost == 0 {
        assert!(began.elapsed() < PATIENCE);
        read(&cache, &Number { id: SECRET + 2 }).await;
        tokio::task::yield_now().await;
    }
    // Another template.
    let source = Source::open();
    copied(&cache, &key).await;
    let before = hits(&cache);
    while hits(&cache) < before + 7 {
        let text = Text { id: SECRET };
        cache.get_or_load(&text, || source.load("4711")).await.expect(NO_ERROR);
    }

    let stats = cache.stats().near;
    let texts = of_template(&recorder, Text::SCHEMA.template);
    let text_count = |name: &str| texts.iter().find(|(known, _)| known.contains(name)).map_or(0, |(_, count)| *count);
    assert_eq!(text_count("_hits_"), 7);
    for (name, expected) in [
        ("hits", stats.hits),
        ("reads", stats.reads),
        ("overtaken", stats.overtaken),
        ("invalidated", stats.invalidated),
        ("flushes", stats.flushes),
        ("connections_lost", stats.connections_lost),
    ] {
        assert!(expected > 0, "{name}: {stats:?}");
        assert_eq!(count(&recorder, name) + text_count(&format!("_{name}_")), expected, "{name}");
    }
    assert_eq!(stats.connections_lost, 1, "{stats:?}");
    let bytes = |bytes: usize| [("redis_keys_cache_near_bytes".to_owned(), bytes as f64)];
    assert_eq!(recorder.gauges("redis_keys_cache_near_"), bytes(stats.bytes));
    assert_eq!(recorder.undescribed(), [""; 0]);

    let shown = format!("{:?} {:?} {:?}", recorder.counters(""), recorder.histograms(""), recorder.gauges(""));
    assert!(!shown.contains("4711") && !format!("{cache:?}").contains("4711"), "{shown}");
    drop(cache);
    assert_eq!(recorder.gauges("redis_keys_cache_near_"), bytes(0));
    let lines = subscriber.lines();
    assert!(!lines.iter().any(|line| line.contains("4711") || line.contains("WARN")), "{lines:#?}");
}

/// Hits are counted where they are found, and reported once a second.
#[tokio::test]
async fn hits_are_reported_without_a_call_of_stats() {
    observed!(recorder, _subscriber);
    let (_server, cache, _con) = start();
    let key = Number { id: new_ids() };
    let began = Instant::now();
    while count(&recorder, "hits") == 0 {
        assert!(began.elapsed() < PATIENCE, "{:?}", recorder.counters(""));
        read(&cache, &key).await;
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
