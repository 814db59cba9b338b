//! The recorder of the whole program, which is one for each process: it is noticed when it is installed, its handles are
//! kept, and recorders of threads come before it. A recorder that panics changes no result.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test cannot continue when it fails")]

#[path = "integration/observe/recorder.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod recorder;

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Barrier};
use std::thread;

use metrics::{Counter, CounterFn, Gauge, Histogram, HistogramFn, Key, KeyName, Metadata, SharedString, Unit};
use recorder::Recorder;
use redis::{ConnectionLike, RedisResult, Value};
use redis_keys::ErrorKind;
use redis_keys::prelude::*;
use redis_keys::testing::Server;

#[derive(RedisKey)]
#[redis_key(report:global:{id}:string, value = String, ttl = 1h)]
struct Global {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:generic:{id}:string, value = u64, ttl = 1h)]
struct Generic<T: KeySegment> {
    id: T,
}

/// A server that has nothing.
struct Empty;

impl ConnectionLike for Empty {
    fn req_packed_command(&mut self, _: &[u8]) -> RedisResult<Value> {
        Ok(Value::Nil)
    }

    fn req_packed_commands(&mut self, _: &[u8], _: usize, count: usize) -> RedisResult<Vec<Value>> {
        Ok(vec![Value::Nil; count])
    }

    fn get_db(&self) -> i64 {
        0
    }

    fn check_connection(&mut self) -> bool {
        true
    }

    fn is_open(&self) -> bool {
        true
    }
}

fn read(times: u64) {
    for id in 0..times {
        assert_eq!(Global { id }.get().query(&mut Empty).unwrap(), None);
    }
}

fn counted(recorder: &Recorder) -> u64 {
    let absent = recorder.counters("redis_keys_commands_total template=report:global:{id}:string");
    absent.iter().find(|(series, _)| series.ends_with("outcome=absent")).map_or(0, |(_, count)| *count)
}

#[test]
fn the_recorder_of_the_program_gets_what_happens_from_then_on() {
    // There is no recorder.
    read(10);
    let global = Arc::new(Recorder::default());
    metrics::set_global_recorder(Arc::clone(&global)).map_err(|_| "the first").unwrap();
    read(5);
    assert_eq!(counted(&global), 5);
    assert_eq!(global.undescribed(), [""; 0]);

    // At the same time, in several threads, of which each is the first for some accessor.
    let barrier = Barrier::new(4);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                barrier.wait();
                assert_eq!(Global { id: 1 }.strlen().query(&mut Empty).unwrap_err().kind(), ErrorKind::UnexpectedReply);
                read(1_000);
            });
        }
    });
    assert_eq!(counted(&global), 4_005);

    // Two recorders of a thread, one after the other in the same place of memory.
    for _ in 0..2 {
        let local = Recorder::default();
        metrics::with_local_recorder(&local, || read(3));
        assert_eq!(counted(&local), 3);
    }
    read(1);
    assert_eq!(counted(&global), 4_006);

    // A generic declaration has one place for all its types.
    assert_eq!(Generic { id: 1_u64 }.get().query(&mut Empty).unwrap(), None);
    assert_eq!(Generic { id: 1_u8 }.get().query(&mut Empty).unwrap(), None);
    let generic =
        global.counters("redis_keys_commands_total template=report:generic:{id}:string command=get outcome=absent");
    assert_eq!(generic.iter().map(|(_, count)| *count).collect::<Vec<_>>(), [2]);
}

#[derive(RedisKey)]
#[redis_key(report:panics:{id}:string, value = u64, ttl = 1h)]
struct Panics {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(report:rejected:{word}:string, value = u64, ttl = 1h)]
struct RejectedWord<'a> {
    word: &'a str,
}

/// A recorder that panics at one of its calls, and counts the panics.
#[derive(Clone, Default)]
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

impl metrics::Recorder for Panicking {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {
        self.reach("describe");
    }

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, _: &Key, _: &Metadata<'_>) -> Counter {
        self.reach("register");
        Counter::from_arc(Arc::new(self.clone()))
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::from_arc(Arc::new(self.clone()))
    }
}

#[test]
fn a_recorder_that_panics_changes_no_result() {
    let server = Server::start().unwrap();
    let mut con = redis::Client::open(server.url()).unwrap().get_connection().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (id, at) in (0..).zip(["describe", "register", "increment", "record"]) {
        let recorder = Panicking { at, ..Panicking::default() };
        metrics::with_local_recorder(&recorder, || {
            let key = Panics { id };
            assert_eq!(key.incr().query(&mut con).unwrap(), 1);
            assert_eq!(redis_keys::batch([key.incr(), key.incr()]).query(&mut con).unwrap(), [2, 3]);
            assert_eq!(redis_keys::atomic([key.incr()]).query(&mut con).unwrap(), [4]);
            assert_eq!(RejectedWord { word: "A" }.get().query(&mut con).unwrap_err().kind(), ErrorKind::Parameter);
            let sum: u64 = runtime.block_on(async {
                let mut con = redis_keys::connect(server.url()).unwrap();
                key.incr_by(6).query_async(&mut con).await.unwrap()
            });
            assert_eq!(sum, 10);
        });
        assert!(recorder.panics.load(Relaxed) > 0, "{at}");
    }
}
