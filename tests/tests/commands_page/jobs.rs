//! Keys of type `zset` that are queues of jobs.

use std::time::{Duration, SystemTime};

use crate::row::rows;
use crate::section::Section;
use crate::server::{array, bulk, int, record};

use redis_keys::prelude::*;

/// The pictures of which a small version is to be made.
#[derive(RedisKey)]
#[redis_key(queue:thumbnail:{shard}:zset, value = u64, ttl = 1d, jobs(lease = 1m, tries = 5))]
struct Thumbnails {
    shard: u8,
}

pub(crate) fn section() -> Section {
    let queue = Thumbnails { shard: 3 };

    let job = first(queue.take(1), "113102442240001");
    let dead = first(queue.take(1), "4616702065770497");
    let minute = Duration::from_secs(60);
    let midnight = SystemTime::UNIX_EPOCH + Duration::from_secs(1_767_225_600);
    let _clock = redis_keys::testing::fix_clock(midnight - minute);
    let _jitter = redis_keys::testing::fix_jitter(0.0);
    Section {
        title: "jobs",
        summary: "work that is done later",
        about: "\
A zset with `jobs`, a queue of jobs, each of which is done at least once. `take` gives a job to its caller for the time of
`lease`; until another caller takes it, the caller acknowledges it, tries it again later, extends its lease or buries it, with the job as it
was taken. The member of a job is its id, such as `06474846204000000000000000000000`, and its payload, after `r1:` if it was revived once; the score says when it
is due, and how often it was taken. `Worker` does all of this in asynchronous code.",
        file: include_str!("jobs.rs"),
        schemas: vec![Thumbnails::SCHEMA],
        types: &["JobKey", "Push"],
        rows: rows! {
            queue.push(&42);
            queue.push(&42).delay(minute);
            queue.push(&42).at(midnight);
            queue.push_many([42, 43]);
            queue.take(20);
            queue.ack(&job);
            queue.ack_many([&job]);
            queue.retry(&job, minute);
            queue.extend(&job);
            queue.bury(&job);
            queue.dead(0..10);
            queue.revive(&dead);
            queue.counts();
            queue.purge() => [150, 1000, 100, 1].map(int);
        },
        more: Vec::new(),
    }
}

/// The job that a call returns if the server has one with this score.
fn first(call: redis_keys::Command<redis_keys::jobs::TakenJobs<u64>>, score: &str) -> redis_keys::jobs::TakenJob<u64> {
    let reply = array(&[int(60_000), int(0), bulk("0647484620400000000000000000000042"), bulk(score)]);
    let mut job = None;
    record([reply], |con| job = call.query(con).unwrap().jobs.pop());
    job.unwrap()
}
