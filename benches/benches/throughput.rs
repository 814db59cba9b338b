//! GET and SET on a real server, by this library and by hand. `cargo xtask bench throughput` pins client and server to different cores.
//!
//! Both sides take turns within each sample, so that whatever else the machine does hits both. Criterion reports one side of
//! it; the pairs go, a line each, into the file that `REDIS_KEYS_PAIRS` names.

#![allow(clippy::cast_precision_loss, reason = "nobody measures for weeks")]
#![allow(clippy::expect_used, reason = "nothing can go on when these fail")]
#![allow(missing_docs, reason = "Criterion's macros make public functions")]

use std::cell::RefCell;
use std::fs::OpenOptions;
use std::hint::black_box;
use std::io::Write as _;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use redis::aio::MultiplexedConnection;
use redis::{Client, Connection};
use redis_keys::testing::Server;
use redis_keys_bench::{Hand, Ours, Way};
use tokio::runtime::{Builder, Runtime};
use tokio::task::LocalSet;

/// So many different keys are read and written.
const KEYS: u64 = 10_000;
const VALUE: &str = "Ada Lovelace";

/// So many tasks share one connection.
const TASKS: u64 = 64;

/// Does so many requests and tells how long it took.
type Side<'a> = &'a dyn Fn(u64) -> Duration;

/// Blocking, each request after the answer to the one before.
fn one_by_one(c: &mut Criterion) {
    let server = Server::start().expect("a server starts");
    let connect = || Client::open(server.url()).and_then(|client| client.get_connection()).expect("it answers");
    let get_ours = |id, con: &mut Connection| drop(black_box(Ours::get(id, con)));
    let get_hand = |id, con: &mut Connection| drop(black_box(Hand::get(id, con)));
    let set_ours = |id, con: &mut Connection| Ours::set(id, VALUE, con);
    let set_hand = |id, con: &mut Connection| Hand::set(id, VALUE, con);
    let (ours, hand) = (RefCell::new(connect()), RefCell::new(connect()));
    let mut group = group(c, "one_by_one");
    pair(&mut group, "one_by_one", "set", 8, &|n| serial(n, &ours, set_ours), &|n| serial(n, &hand, set_hand));
    pair(&mut group, "one_by_one", "get", 8, &|n| serial(n, &ours, get_ours), &|n| serial(n, &hand, get_hand));
}

fn serial(count: u64, con: &RefCell<Connection>, work: impl Fn(u64, &mut Connection)) -> Duration {
    let mut con = con.borrow_mut();
    let started = Instant::now();
    (0..count).for_each(|id| work(id % KEYS, &mut con));
    started.elapsed()
}

/// Many requests in flight on one connection.
fn in_flight(c: &mut Criterion) {
    let server = Server::start().expect("a server starts");
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let client = Client::open(server.url()).expect("the address is good");
    let con = runtime.block_on(client.get_multiplexed_async_connection()).expect("it answers");
    let get_ours = async |id, con: &mut MultiplexedConnection| drop(black_box(Ours::get_async(id, con).await));
    let get_hand = async |id, con: &mut MultiplexedConnection| drop(black_box(Hand::get_async(id, con).await));
    let set_ours = async |id, con: &mut MultiplexedConnection| Ours::set_async(id, VALUE, con).await;
    let set_hand = async |id, con: &mut MultiplexedConnection| Hand::set_async(id, VALUE, con).await;
    let (runtime, con) = (&runtime, &con);
    let mut group = group(c, "in_flight");
    pair(&mut group, "in_flight", "set", 1_024, &|n| shared(n, runtime, con, set_ours), &|n| {
        shared(n, runtime, con, set_hand)
    });
    pair(&mut group, "in_flight", "get", 1_024, &|n| shared(n, runtime, con, get_ours), &|n| {
        shared(n, runtime, con, get_hand)
    });
}

/// Tasks on one thread that each wait for one answer at a time.
fn shared<W>(count: u64, runtime: &Runtime, con: &MultiplexedConnection, work: W) -> Duration
where
    W: AsyncFn(u64, &mut MultiplexedConnection) + Copy + 'static,
{
    let started = Instant::now();
    let share = |task: u64| {
        let mut con = con.clone();
        async move {
            let mut id = task;
            while id < count {
                work(id % KEYS, &mut con).await;
                id += TASKS;
            }
        }
    };
    let tasks = LocalSet::new();
    (0..TASKS).for_each(|task| drop(tasks.spawn_local(share(task))));
    runtime.block_on(tasks);
    started.elapsed()
}

fn group<'a>(c: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(1)).sampling_mode(SamplingMode::Flat);
    group
}

/// Two benchmarks, one for each side, in each of which both sides do the work in turns of so many requests.
fn pair(
    group: &mut BenchmarkGroup<'_, WallTime>,
    group_name: &str,
    name: &str,
    turn: u64,
    ours: Side<'_>,
    hand: Side<'_>,
) {
    for side in ["ours", "hand"] {
        group.bench_function(format!("{name}_{side}"), |b| {
            b.iter_custom(|count| {
                let (our_time, hand_time) = alternate(count, turn, ours, hand);
                if count >= turn {
                    record(group_name, name, [our_time, hand_time].map(|time| time.as_nanos() as f64 / count as f64));
                }
                if side == "ours" { our_time } else { hand_time }
            });
        });
    }
}

fn alternate(count: u64, turn: u64, ours: Side<'_>, hand: Side<'_>) -> (Duration, Duration) {
    let (mut our_time, mut hand_time) = (Duration::ZERO, Duration::ZERO);
    let mut done = 0;
    while done < count {
        let now = turn.min(count - done);
        // Who is first changes each time.
        if (done / turn).is_multiple_of(2) {
            our_time += ours(now);
            hand_time += hand(now);
        } else {
            hand_time += hand(now);
            our_time += ours(now);
        }
        done += now;
    }
    (our_time, hand_time)
}

/// Writes what a request took on each side.
fn record(group: &str, name: &str, [ours, hand]: [f64; 2]) {
    if let Some(path) = std::env::var_os("REDIS_KEYS_PAIRS") {
        let mut file = OpenOptions::new().create(true).append(true).open(path).expect("the file can be written");
        writeln!(file, "{group}/{name} {ours:.1} {hand:.1}").expect("the file can be written");
    }
}

criterion_group!(benches, one_by_one, in_flight);
criterion_main!(benches);
