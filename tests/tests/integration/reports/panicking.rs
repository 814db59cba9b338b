//! A recorder of the whole program that panics in each of its calls: only what it was to record is lost.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

use std::convert::Infallible;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use futures_util::{FutureExt as _, StreamExt as _};
use metrics::{
    Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, Recorder, SharedString, Unit,
};
use redis_keys::cache::Cache;
use redis_keys::lock::Locks;
use redis_keys::prelude::*;
use redis_keys::subscriber::{ChannelEvent, Subscriber};
use redis_keys::testing::Server;
use redis_keys::{atomic, batch};

#[derive(RedisKey, Debug, PartialEq)]
#[redis_key(panicking:count:{id}:string, value = u64, ttl = 1h)]
struct Count {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(panicking:text:{word}:string, value = String, ttl = 1h)]
struct Text<'w> {
    word: &'w str,
}

#[derive(RedisKey, Clone)]
#[redis_key(panicking:page:{id}:string, value = String, ttl = 1h, jitter = 5m, cache(null_ttl = 5m))]
struct Page {
    id: u64,
}

#[derive(RedisKey, Clone)]
#[redis_key(panicking:lock:{id}:string, lock, ttl = 30s)]
struct GuardedLock {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(panicking:mails:{id}:zset, value = u64, ttl = 1d, jobs)]
struct Mails {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(panicking:calls:{id}:string, limit(10 / 1m))]
struct Calls {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(panicking:known:{id}:bitmap, value = u64, ttl = 1h, bloom(expected = 50, false_positives = 1%))]
struct KnownOrders {
    id: u64,
}

#[derive(RedisKey, Clone)]
#[redis_key(panicking:changes:{id}:channel, value = u64)]
struct Changes {
    id: u64,
}

/// A recorder that panics at one of its calls, and counts the panics.
#[derive(Clone)]
struct Panicking {
    at: &'static str,
    panics: Arc<AtomicU64>,
}

impl Panicking {
    fn reach(&self, call: &str) {
        if call == self.at {
            self.panics.fetch_add(1, Relaxed);
            panic!("the recorder panics");
        }
    }
}

impl CounterFn for Panicking {
    fn increment(&self, _: u64) {
        self.reach("increment");
    }

    fn absolute(&self, _: u64) {}
}

impl HistogramFn for Panicking {
    fn record(&self, _: f64) {
        self.reach("record");
    }
}

impl Recorder for Panicking {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {
        self.reach("describe");
    }

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {
        self.reach("describe");
    }

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        self.reach("register");
        Counter::from_arc(Arc::new(self.clone()))
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        self.reach("register");
        Histogram::from_arc(Arc::new(self.clone()))
    }
}

/// Runs an ignored test in a process of its own, whose recorder it installs.
#[track_caller]
fn run_in_process(test: &str) {
    let program = std::env::current_exe().unwrap();
    let arguments = ["--exact", &format!("reports::panicking::{test}"), "--ignored", "--nocapture"];
    let output = Command::new(program).args(arguments).output().unwrap();
    let printed = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
}

#[test]
fn every_driver_works_with_a_recorder_that_panics() {
    for call in ["at_describe", "at_register", "at_increment", "at_record"] {
        run_in_process(call);
    }
}

macro_rules! at {
    ($($name:ident $call:literal)*) => {$(
        #[tokio::test]
        #[ignore = "it runs in a process of its own"]
        async fn $name() {
            everything($call).await;
        }
    )*};
}

at! {
    at_describe "describe"
    at_register "register"
    at_increment "increment"
    at_record "record"
}

async fn everything(at: &'static str) {
    let recorder = Panicking { at, panics: Arc::default() };
    metrics::set_global_recorder(recorder.clone()).unwrap();
    let server = Server::start().unwrap();
    let con = redis_keys::connect(server.url()).unwrap();
    calls(con.clone()).await;
    drivers(con).await;
    assert!(recorder.panics.load(Relaxed) > 0);
}

async fn calls(mut con: redis_keys::Connection) {
    let key = Count { id: 1 };
    for number in 1..=40 {
        // Of these, some are timed.
        assert_eq!(key.incr().query_async(&mut con).await.unwrap(), number);
    }
    assert_eq!(batch((key.incr(), key.incr())).query_async(&mut con).await.unwrap(), (41, 42));
    assert_eq!(atomic((key.incr(), key.get())).query_async(&mut con).await.unwrap(), (43, Some(43)));
    Text { word: "A" }.get().query_async(&mut con).await.unwrap_err();
    for _ in 0..40 {
        // A call and a batch that are dropped.
        assert!(key.ttl().query_async(&mut con).now_or_never().is_none());
    }
    assert!(batch((key.get(), key.get())).query_async(&mut con).now_or_never().is_none());
    let found: Vec<_> = Count::scan().stream(&con).collect().await;
    assert_eq!(found.into_iter().map(Result::unwrap).collect::<Vec<_>>(), [Count { id: 1 }]);
    let mut unserved = redis_keys::connect("redis://127.0.0.1:1/").unwrap();
    key.get().query_async(&mut unserved).await.unwrap_err();
}

async fn drivers(mut con: redis_keys::Connection) {
    let cache = Cache::new(con.clone());
    let load = || async { Ok::<_, Infallible>(Some("text".to_owned())) };
    for _ in 0..2 {
        assert_eq!(cache.get_or_load(&Page { id: 1 }, load).await.unwrap().as_deref(), Some("text"));
    }
    cache.invalidate(&Page { id: 1 }).await.unwrap();

    let guard = Locks::new(con.clone()).acquire(&GuardedLock { id: 1 }).await.unwrap();
    assert!(guard.release().await.unwrap());

    let queue = Mails { id: 1 };
    queue.push(&7).query_async(&mut con).await.unwrap();
    let taken = queue.take(1).query_async(&mut con).await.unwrap();
    assert_eq!(taken.jobs.len(), 1);

    assert!(Calls { id: 1 }.take(1).query_async(&mut con).await.unwrap().allowed);
    assert!(KnownOrders { id: 1 }.might_contain(&7).query_async(&mut con).await.unwrap());

    let mut changes = Subscriber::connect(&con, [Changes { id: 1 }]).await.unwrap();
    Changes { id: 1 }.publish(&7).query_async(&mut con).await.unwrap();
    assert!(matches!(changes.next().await, Some(ChannelEvent::Message(_, 7))));
}
