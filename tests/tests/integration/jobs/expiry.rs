//! Commands that restart the expiry of a queue.

use std::time::Duration;

use redis_keys::prelude::*;
use redis_keys::testing::fix_jitter;
use redis_keys_tests::{Con, everywhere, on_every_connection};

use super::keys::{MINUTE, text};

#[derive(RedisKey)]
#[redis_key(jobs:jittered:{id}:zset, value = String, ttl = 1h, jitter = 10m, jobs(lease = 1m, tries = 3))]
struct JitteredQueue {
    id: u32,
}

const QUEUE: JitteredQueue = JitteredQueue { id: 1 };

const HOUR_MS: i64 = 3_600_000;

/// Leaves a minute to the queue.
fn fade(con: &mut Con) {
    assert!(con.raw::<bool>(&["EXPIRE", &text(&QUEUE), "60"]));
}

#[test]
fn what_puts_off_a_job_starts_the_expiry_again() {
    everywhere(|con| {
        let expires = |con: &mut Con| {
            con.assert_left(&text(&QUEUE), HOUR_MS);
            fade(con);
        };
        let _jitter = fix_jitter(0.0);
        con.forget_scripts();
        con.ok(QUEUE.push("a"));
        expires(con);
        con.ok(QUEUE.push("b"));
        expires(con);
        con.ok(QUEUE.push_many(["c", "d"]).delay(MINUTE));
        expires(con);
        let jobs = con.ok(QUEUE.take(10)).jobs;
        expires(con);
        assert!(con.ok(QUEUE.extend(&jobs[0])));
        expires(con);
        con.ok(QUEUE.retry(&jobs[0], MINUTE));
        expires(con);
        assert!(con.ok(QUEUE.bury(&jobs[1])));
        expires(con);
        let dead = con.ok(QUEUE.dead(..1)).remove(0);
        assert!(con.ok(QUEUE.revive(&dead)));
        expires(con);
    });
}

#[test]
fn what_puts_off_no_job_keeps_the_expiry() {
    everywhere(|con| {
        con.ok(QUEUE.push_many(["a", "b"]));
        let job = con.ok(QUEUE.take(1)).jobs.remove(0);
        let other = con.ok(QUEUE.take(1)).jobs.remove(0);
        assert!(con.ok(QUEUE.extend(&other)));
        fade(con);
        assert!(con.ok(QUEUE.ack(&job)));
        assert!(!con.ok(QUEUE.extend(&job)) && !con.ok(QUEUE.bury(&job)));
        con.ok(QUEUE.retry(&job, Duration::ZERO));
        con.ok(QUEUE.take(10));
        con.ok(QUEUE.counts());
        con.ok(QUEUE.dead(..10));
        con.assert_left(&text(&QUEUE), 60_000);
    });
}

#[test]
fn jitter_is_added() {
    on_every_connection(|con| {
        let _jitter = fix_jitter(0.5);
        con.ok(QUEUE.push("a"));
        con.assert_left(&text(&QUEUE), HOUR_MS + 300_000);
        let _jitter = fix_jitter(1.0);
        con.ok(QUEUE.take(1));
        con.assert_left(&text(&QUEUE), HOUR_MS + 600_000);
    });
}

/// Another program can have created the queue, or removed its expiry.
#[test]
fn a_queue_without_an_expiry_gets_one() {
    on_every_connection(|con| {
        let _: u64 = con.raw(&["ZADD", &text(&QUEUE), "0", "by another program"]);
        con.ok(QUEUE.take(1));
        assert!(con.pttl(&text(&QUEUE)) > 0);
        let _: bool = con.raw(&["PERSIST", &text(&QUEUE)]);
        con.ok(QUEUE.push("a"));
        assert!(con.pttl(&text(&QUEUE)) > 0);
    });
}

/// Without memory nothing is pushed, while jobs are taken and done, which is what frees memory.
#[test]
fn a_server_without_memory_still_hands_out_jobs() {
    on_every_connection(|con| {
        con.ok(QUEUE.push_many(["a", "b", "c"]));
        let first = con.ok(QUEUE.take(1)).jobs.remove(0);
        con.without_memory(|con| {
            assert!(con.error(QUEUE.push("d")).to_string().contains("OOM"));
            assert!(con.error(JitteredQueue { id: 2 }.push("d")).to_string().contains("OOM"));
            assert!(con.ok(QUEUE.ack(&first)));
            let jobs = con.ok(QUEUE.take(10)).jobs;
            assert_eq!(jobs.len(), 2);
            assert!(con.ok(QUEUE.extend(&jobs[0])));
            con.ok(QUEUE.retry(&jobs[0], Duration::ZERO));
            assert!(con.ok(QUEUE.bury(&jobs[1])));
            let dead = con.ok(QUEUE.dead(..10));
            assert_eq!((dead.len(), con.ok(QUEUE.counts()).due), (1, 1));
            assert!(con.ok(QUEUE.revive(&dead[0])));
            assert_eq!(con.ok(QUEUE.counts()).due, 2);
        });
    });
}
