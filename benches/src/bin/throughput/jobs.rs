//! Queues of jobs on one server: with redis-keys, and by hand with a list and with a stream.

use std::convert::Infallible;
use std::future::{pending, ready};
use std::hint::black_box;
use std::ops::Range;
use std::sync::mpsc::channel;
use std::thread;

use redis::Connection;
use redis::streams::StreamReadReply;
use redis_keys::jobs::Worker;
use redis_keys::prelude::*;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::connections::{BlockingServer, MultiplexedServer};
use crate::turns::{Side, take_turns};

/// The bytes of a job.
const BYTES: usize = 300;

const LIST: &str = "queue:by.hand:list";
const TAKEN: &str = "queue:by.hand.taken:list";
const STREAM: &str = "queue:by.hand:stream";

/// A queue of jobs.
#[derive(RedisKey)]
#[redis_key(queue:mail:{tenant}:zset, value = Vec<u8>, ttl = 7d, jobs(lease = 1m))]
struct Mails {
    tenant: u32,
}

/// Jobs that are added, taken and finished, this many at a time.
pub(crate) fn measure(name: &str, jobs: u64) {
    let server = BlockingServer::start();
    let (mut ours, mut list, mut stream) = (server.connect(), server.connect(), server.connect());
    let group = ["CREATE", STREAM, "workers", "$", "MKSTREAM"];
    redis::cmd("XGROUP").arg(&group).exec(&mut stream).expect("the server replies");
    let payload = vec![b'x'; BYTES];
    let calls = (20 / jobs).max(1);
    let sides = [
        Side::new(calls, jobs, |ids| with_zset(&mut ours, ids, &payload)),
        Side::new(calls, jobs, |ids| with_list(&mut list, ids, &payload)),
        Side::new(calls, jobs, |ids| with_stream(&mut stream, ids, &payload)),
    ];
    take_turns(name, 1, sides);
}

fn with_zset(con: &mut Connection, ids: Range<u64>, payload: &[u8]) {
    let queue = Mails { tenant: 7 };
    let jobs = u32::try_from(ids.end - ids.start).expect("few jobs");
    queue.push_many(ids.map(|_| payload)).query(con).expect("the server replies");
    let taken = queue.take(jobs).query(con).expect("the server replies").jobs;
    assert_eq!(taken.len(), jobs as usize, "all jobs are taken");
    let done = queue.ack_many(black_box(taken)).query(con).expect("the server replies");
    assert!(done.iter().all(|done| *done), "all jobs are done");
}

/// LPUSH, LMOVE to a list of the worker, LREM there.
fn with_list(con: &mut Connection, ids: Range<u64>, payload: &[u8]) {
    let mut push = redis::cmd("LPUSH");
    push.arg(LIST);
    ids.clone().for_each(|_| _ = push.arg(payload));
    push.exec(con).expect("the server replies");
    let mut take = redis::pipe();
    ids.clone().for_each(|_| _ = take.cmd("LMOVE").arg(&[LIST, TAKEN, "RIGHT", "LEFT"]));
    let taken: Vec<Vec<u8>> = take.query(con).expect("the server replies");
    let mut done = redis::pipe();
    for job in black_box(&taken) {
        done.cmd("LREM").arg(TAKEN).arg(1).arg(job);
    }
    let done: Vec<u64> = done.query(con).expect("the server replies");
    assert_eq!(done.iter().sum::<u64>(), ids.end - ids.start, "all jobs are done");
}

/// XADD, XREADGROUP, XACK with XDEL.
fn with_stream(con: &mut Connection, ids: Range<u64>, payload: &[u8]) {
    let mut push = redis::pipe();
    ids.clone().for_each(|_| _ = push.cmd("XADD").arg(&[STREAM, "*", "job"]).arg(payload).ignore());
    push.exec(con).expect("the server replies");
    let jobs = ids.end - ids.start;
    let mut take = redis::cmd("XREADGROUP");
    take.arg(&["GROUP", "workers", "worker", "COUNT"]).arg(jobs).arg(&["STREAMS", STREAM, ">"]);
    let taken: StreamReadReply = take.query(con).expect("the server replies");
    let taken: Vec<String> = black_box(taken).keys.into_iter().flat_map(|key| key.ids).map(|job| job.id).collect();
    let mut done = redis::pipe();
    done.cmd("XACK").arg(&[STREAM, "workers"]).arg(&taken).cmd("XDEL").arg(STREAM).arg(&taken);
    let (acked, removed): (u64, u64) = done.query(con).expect("the server replies");
    assert_eq!((acked, removed), (jobs, jobs), "all jobs are done");
}

/// The time of a job from before the push until it starts: with the pusher of an idle worker, with a push on another
/// connection, and with a stream that is read with a blocking command by hand.
pub(crate) fn latency(name: &str) {
    let server = MultiplexedServer::start();
    let payload = vec![b'x'; BYTES];
    let (worker, mut started) = idle_worker(&server, 1);
    let (_other_worker, mut other_started) = idle_worker(&server, 2);
    let (pusher, mut con) = (worker.pusher(), server.connect());
    let mut by_stream = blocked_reader(&server);
    let sides = [
        Side::new(1, 1, |_| {
            server.runtime.block_on(async {
                pusher.push(&payload).await.expect("the server replies");
                started.recv().await.expect("the worker runs");
            });
        }),
        Side::new(1, 1, |_| {
            server.runtime.block_on(async {
                Mails { tenant: 2 }.push(&payload).query_async(&mut con).await.expect("the server replies");
                other_started.recv().await.expect("the worker runs");
            });
        }),
        Side::new(1, 1, |_| by_stream()),
    ];
    take_turns(name, 1, sides);
}

type IdleWorker = Worker<redis::aio::MultiplexedConnection, Mails>;

/// A worker that says when a job starts.
fn idle_worker(server: &MultiplexedServer, tenant: u32) -> (IdleWorker, UnboundedReceiver<()>) {
    let (start, started) = unbounded_channel();
    let worker = Worker::new(server.connect(), Mails { tenant });
    let handler = move |_job| {
        start.send(()).expect("somebody waits for it");
        ready(Ok::<(), Infallible>(()))
    };
    server.runtime.spawn(worker.run(handler).until(pending::<()>()));
    (worker, started)
}

/// Adds to a stream, and waits until a thread has read it that is blocked in XREADGROUP.
fn blocked_reader(server: &MultiplexedServer) -> impl FnMut() + use<> {
    let client = redis::Client::open(server.server.url()).expect("the address is valid");
    let connect = || client.get_connection().expect("the server replies");
    let (mut con, mut reader) = (connect(), connect());
    redis::cmd("XGROUP")
        .arg(&["CREATE", STREAM, "workers", "$", "MKSTREAM"])
        .exec(&mut con)
        .expect("the server replies");
    let (start, started) = channel();
    thread::spawn(move || {
        let words = ["GROUP", "workers", "worker", "BLOCK", "0", "COUNT", "1", "STREAMS", STREAM, ">"];
        // Until the server ends.
        while redis::cmd("XREADGROUP").arg(&words).query::<StreamReadReply>(&mut reader).is_ok()
            && start.send(()).is_ok()
        {}
    });
    let payload = vec![b'x'; BYTES];
    move || {
        redis::cmd("XADD").arg(&[STREAM, "*", "job"]).arg(&payload).exec(&mut con).expect("the server replies");
        started.recv().expect("the reader runs");
    }
}
