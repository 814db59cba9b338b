//! Queues of jobs on one server: with redis-keys, and by hand with a list and with a stream.

use std::{hint::black_box, ops::Range};

use redis::{Connection, streams::StreamReadReply};
use redis_keys::prelude::*;

use crate::{
    connections::Blocking,
    turns::{Side, take_turns},
};

/// The bytes of a job.
const BYTES: usize = 300;

const LIST: &str = "queue:by.hand:list";
const TAKEN: &str = "queue:by.hand.taken:list";
const STREAM: &str = "queue:by.hand:stream";

/// A queue of jobs.
#[derive(RedisKey)]
#[redis_key(queue:mail:{tenant}:zset, value = Job<Vec<u8>>, lease = 1m, ttl = 7d)]
struct Mails {
    tenant: u32,
}

/// Jobs that are added, taken and finished, so many at a time.
pub(crate) fn measure(name: &str, jobs: u64) {
    let server = Blocking::start();
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
