//! `reports get COUNT` reads from a mock, for a tool that counts instructions, and `reports throughput TASKS COUNT` reads
//! from a private server and prints the nanoseconds of a command.

#![allow(clippy::expect_used, clippy::panic, reason = "a benchmark cannot go on when these fail")]

use std::future::ready;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use redis::aio::ConnectionLike;
use redis::{Cmd, Pipeline, RedisFuture, Value};
use redis_keys::testing::Server;
use redis_keys::{Connection, RedisKey, StringKey as _};

#[derive(RedisKey)]
#[redis_key(user:name:{user_id}:string, value = String, ttl = 1h)]
struct Name {
    user_id: u64,
}

/// The first id. All have seven digits.
const FIRST_ID: u64 = 1_000_000;

fn main() {
    #[cfg(feature = "exporter")]
    metrics_exporter_prometheus::PrometheusBuilder::new().install_recorder().expect("the only recorder");
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["get", count] => reads(number(count)),
        ["throughput", tasks, count] => {
            println!("{:.1}", throughput(number(tasks), number(count)));
        }
        _ => panic!("usage: reports get COUNT, or reports throughput TASKS COUNT"),
    }
}

fn number(text: &str) -> u64 {
    text.parse().expect("a number")
}

/// Reads `count` times from a mock. Only what this does is counted.
#[inline(never)]
fn reads(count: u64) {
    let mut con = Mock;
    let mut context = Context::from_waker(Waker::noop());
    for user_id in FIRST_ID..FIRST_ID + count {
        let key = black_box(Name { user_id });
        let Poll::Ready(name) = pin!(key.get().query_async(&mut con)).poll(&mut context) else {
            panic!("a mock is always ready");
        };
        black_box(name.expect("the value decodes"));
    }
}

/// A connection that replies at once, to every command with the same text.
struct Mock;

impl ConnectionLike for Mock {
    fn req_packed_command<'a>(&'a mut self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        black_box(cmd.get_packed_command());
        Box::pin(ready(Ok(Value::BulkString(b"Ada Lovelace".to_vec()))))
    }

    fn req_packed_commands<'a>(
        &'a mut self,
        _pipeline: &'a Pipeline,
        _offset: usize,
        _count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        Box::pin(ready(Ok(Vec::new())))
    }

    fn get_db(&self) -> i64 {
        0
    }
}

/// Reads `count` times by each of several tasks, and returns the nanoseconds of a read.
fn throughput(tasks: u64, count: u64) -> f64 {
    let server = Server::start().expect("a server starts");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut con = redis_keys::connect(server.url()).expect("a valid address");
        Name { user_id: FIRST_ID }.set("Ada Lovelace").query_async(&mut con).await.expect("the server answers");
        // One round before it is measured.
        run(&con, tasks, count / 10).await;
        let started = Instant::now();
        run(&con, tasks, count).await;
        #[expect(clippy::cast_precision_loss, reason = "it is a rate")]
        return started.elapsed().as_nanos() as f64 / (tasks * count) as f64;
    })
}

async fn run(con: &Connection, tasks: u64, count: u64) {
    let read = |mut con: Connection| async move {
        for _ in 0..count {
            black_box(Name { user_id: FIRST_ID }.get().query_async(&mut con).await.expect("the server answers"));
        }
    };
    let running: Vec<_> = (0..tasks).map(|_| tokio::spawn(read(con.clone()))).collect();
    for task in running {
        task.await.expect("a task does not panic");
    }
}
