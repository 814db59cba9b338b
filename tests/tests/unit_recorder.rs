//! A recorder without fields, as small ones often are, for the whole program.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use metrics::{Counter, CounterFn, Gauge, Histogram, Key, KeyName, Metadata, SharedString, Unit};
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(report:unit:{id}:string, value = String, ttl = 1h, max_bytes = 1B)]
struct Short {
    id: u64,
}

static COUNTED: AtomicU64 = AtomicU64::new(0);

struct Sum;

impl CounterFn for Sum {
    fn increment(&self, value: u64) {
        COUNTED.fetch_add(value, Ordering::Relaxed);
    }

    fn absolute(&self, _: u64) {}
}

impl metrics::Recorder for Sum {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        Counter::from_arc(Arc::new(Self))
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

#[tokio::test]
async fn a_recorder_without_fields_counts() {
    let reject = async || {
        let mut con = redis_keys::connect("redis://127.0.0.1:1/").unwrap();
        Short { id: 1 }.set("too long").query_async(&mut con).await.unwrap_err();
    };
    reject().await;
    assert_eq!(COUNTED.load(Ordering::Relaxed), 0);
    metrics::set_global_recorder(Sum).map_err(|_| "the first").unwrap();
    reject().await;
    // The call, and its rule.
    assert_eq!(COUNTED.load(Ordering::Relaxed), 2);
}
