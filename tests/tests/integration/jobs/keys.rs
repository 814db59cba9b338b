//! The queues of the tests, and what they hold.

use std::time::Duration;

use redis::{FromRedisValue, Value};
use redis_keys::jobs::{Counts, Receipt, TakenJob};
use redis_keys::prelude::*;
use redis_keys_tests::Con;

pub(super) const MINUTE: Duration = Duration::from_secs(60);
pub(super) const HOUR: Duration = Duration::from_secs(3600);

/// The scores of dead jobs are this or more.
pub(super) const DEAD: u64 = 1 << 52;

/// A queue whose leases end only where a test lets [time pass](pass).
#[derive(RedisKey)]
#[redis_key(jobs:mail:{tenant}:zset, value = String, ttl = 7d, jobs(lease = 1h, tries = 3))]
pub(super) struct Mails {
    pub(super) tenant: u32,
}

pub(super) const MAILS: Mails = Mails { tenant: 7 };

/// A queue whose leases end soon.
#[derive(RedisKey)]
#[redis_key(jobs:hasty:{id}:zset, value = u64, ttl = 1h, jobs(lease = 1s, tries = 60))]
pub(super) struct Hasty {
    pub(super) id: u32,
}

/// A small queue of small jobs.
#[derive(RedisKey)]
#[redis_key(jobs:small:{id}:zset, value = Vec<u8>, ttl = 1h, max_len = 3, max_member_bytes = 10B, jobs(tries = 1))]
pub(super) struct Small {
    pub(super) id: u32,
}

/// A queue of jobs of which some do not decode.
#[derive(RedisKey)]
#[redis_key(jobs:number:{id}:zset, value = u64, ttl = 7d, jobs(lease = 1h, tries = 3))]
pub(super) struct Numbers {
    pub(super) id: u32,
}

pub(super) const NUMBERS: Numbers = Numbers { id: 1 };

pub(super) fn text(key: &impl RedisKey) -> String {
    key.key().expect("the key is valid").to_string()
}

/// Takes all jobs that are due, up to 100.
#[track_caller]
pub(super) fn take<K: JobKey<Value = String>>(con: &mut Con, queue: &K) -> Vec<TakenJob<String>> {
    con.ok(queue.take(100)).jobs
}

/// Takes the only job that is due.
#[track_caller]
pub(super) fn take_one<K: JobKey<Value = String>>(con: &mut Con, queue: &K) -> TakenJob<String> {
    let mut jobs = take(con, queue);
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    jobs.remove(0)
}

/// The values of jobs that decode.
#[track_caller]
pub(super) fn values<T: Clone>(jobs: &[TakenJob<T>]) -> Vec<T> {
    jobs.iter().map(|job| job.value.clone().unwrap_or_else(|error| panic!("{error}"))).collect()
}

pub(super) fn receipts<T>(jobs: Vec<TakenJob<T>>) -> Vec<Receipt> {
    jobs.into_iter().map(|job| job.receipt).collect()
}

/// Returns the content of a queue: member and score of each job, as texts of the server, so that nothing is rounded.
pub(super) fn stored(con: &mut Con, queue: &impl RedisKey) -> Vec<(Vec<u8>, String)> {
    script(con, "return redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')", queue, "")
}

/// The score of the only job, without the half of one that was put off.
#[track_caller]
pub(super) fn score(con: &mut Con, queue: &impl RedisKey) -> u64 {
    let stored = stored(con, queue);
    assert_eq!(stored.len(), 1, "{stored:?}");
    stored[0].1.trim_end_matches(".5").parse().expect("the score is a whole number")
}

/// Lets time pass for all jobs that are not dead, as if the server's clock went forward.
pub(super) fn pass(con: &mut Con, queue: &impl RedisKey, time: Duration) {
    let shift = "
        local jobs = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(4503599627370496')
        for _, job in ipairs(jobs) do
          redis.call('ZINCRBY', KEYS[1], string.format('%.0f', -64 * ARGV[1]), job)
        end
        return #jobs
    ";
    let _: u64 = script(con, shift, queue, &time.as_millis().to_string());
}

fn script<T: FromRedisValue>(con: &mut Con, script: &str, queue: &impl RedisKey, argument: &str) -> T {
    con.raw(&["EVAL", script, "1", &text(queue), argument])
}

/// Adds a member as another program could.
pub(super) fn zadd(con: &mut Con, queue: &impl RedisKey, score: &str, member: &str) {
    let _: Value = con.raw(&["ZADD", &text(queue), score, member]);
    let _: bool = con.raw(&["EXPIRE", &text(queue), "3600"]);
}

/// Asserts how many jobs are due, due later, and dead.
#[track_caller]
pub(super) fn assert_counts<K: JobKey>(con: &mut Con, queue: &K, expected: [u64; 3]) {
    let Counts { due, later, dead, .. } = con.ok(queue.counts());
    assert_eq!([due, later, dead], expected, "due, later, dead");
}
