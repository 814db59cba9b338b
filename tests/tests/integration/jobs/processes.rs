//! Workers in several processes, which are killed at random and started again.

use std::env;

use redis::{Client, Connection};
use redis_keys::ErrorKind;
use redis_keys::jobs::RetryOutcome;
use redis_keys::prelude::*;
use redis_keys::testing::{Server, without_expiry};
use redis_keys_tests::{Child, seed};

const PROCESSES: usize = 8;

/// The number of commands that the server executes at most between two kills.
const MAX_COMMANDS: u64 = 600;

/// Each of this many jobs always fails.
const FAILING: u64 = 500;

const TRIES: u8 = 5;

/// The environment of a child process: the address of the server.
const URL: &str = "REDIS_KEYS_WORKERS_URL";

const REPLIES: &str = "the server replies";

#[derive(RedisKey)]
#[redis_key(jobs:numbers:{shard}:zset, value = u64, ttl = 1h, jitter = 5m, jobs(lease = 1s, tries = 5))]
struct Shard {
    shard: u8,
}

const SHARDS: [Shard; 4] = [Shard { shard: 0 }, Shard { shard: 1 }, Shard { shard: 2 }, Shard { shard: 3 }];

fn connect(url: &str) -> Connection {
    Client::open(url).and_then(|client| client.get_connection()).expect(REPLIES)
}

/// Counts in a hash, for all processes.
fn count(con: &mut Connection, hash: &str, field: &str) -> u64 {
    redis::cmd("HINCRBY").arg(hash).arg(field).arg(1).query(con).expect(REPLIES)
}

fn counts(con: &mut Connection, hash: &str) -> Vec<(String, u64)> {
    redis::cmd("HGETALL").arg(hash).query(con).expect(REPLIES)
}

/// Not a test: a process that is killed.
#[test]
#[ignore = "runs inside another test"]
fn work_until_killed() {
    let mut con = connect(&env::var(URL).expect("the other test sets the variable"));
    let mut rng = fastrand::Rng::new();
    loop {
        let queue = &SHARDS[rng.usize(..SHARDS.len())];
        let taken = queue.take(rng.u32(1..=20)).query(&mut con).expect(REPLIES);
        for job in taken.jobs {
            let number = *job.value.as_ref().expect("it decodes");
            // No other process is given the job with this number of tries.
            let handed_out = count(&mut con, "taken", &format!("{number} {}", job.tries()));
            if handed_out != 1 || job.tries() > TRIES {
                count(&mut con, "wrong", &format!("{number} {}", job.tries()));
            }
            if number % FAILING == 0 {
                let retried = queue.retry(&job, std::time::Duration::ZERO).query(&mut con).expect(REPLIES);
                if (retried == RetryOutcome::Dead) != (job.tries() == TRIES) && retried != RetryOutcome::Lost {
                    count(&mut con, "wrong", &format!("{number} {retried:?}"));
                }
                continue;
            }
            count(&mut con, "worked", &number.to_string());
            queue.ack(&job).query(&mut con).expect(REPLIES);
        }
    }
}

fn commands_processed(con: &mut Connection) -> u64 {
    let info: String = redis::cmd("INFO").arg("stats").query(con).expect(REPLIES);
    let count = info.lines().find_map(|line| line.strip_prefix("total_commands_processed:"));
    count.and_then(|count| count.parse().ok()).expect("servers count their commands")
}

/// Whether a job can still be taken.
fn is_unfinished(con: &mut Connection) -> bool {
    SHARDS.iter().any(|queue| {
        let counts = queue.counts().query(con).expect(REPLIES);
        counts.due + counts.later > 0
    })
}

fn push(con: &mut Connection, jobs: u64) {
    let numbers: Vec<_> = (1..=jobs).collect();
    for (at, chunk) in numbers.chunks(250).enumerate() {
        SHARDS[at % SHARDS.len()].push_many(chunk.to_vec()).query(con).expect(REPLIES);
    }
}

fn none_is_lost(jobs: u64) {
    let mut rng = fastrand::Rng::with_seed(seed());
    let server = Server::start().expect("a server starts");
    let mut con = connect(&server.url());
    push(&mut con, jobs);
    let start = || Child::start("jobs::processes::work_until_killed", &[(URL, &server.url())]);
    let mut processes: Vec<_> = (0..PROCESSES).map(|_| start()).collect();
    let mut kills = 0;
    while is_unfinished(&mut con) {
        let until = commands_processed(&mut con) + rng.u64(..MAX_COMMANDS);
        while commands_processed(&mut con) < until && is_unfinished(&mut con) {}
        let killed = rng.usize(..PROCESSES);
        std::mem::replace(&mut processes[killed], start()).kill();
        kills += 1;
    }
    processes.into_iter().for_each(Child::kill);

    assert_eq!(counts(&mut con, "wrong"), []);
    let worked = counts(&mut con, "worked");
    let twice: u64 = worked.iter().map(|(_, times)| times - 1).sum();
    let mut finished: Vec<u64> = worked.iter().map(|(number, _)| number.parse().expect("a number")).collect();
    let mut died = 0;
    for queue in &SHARDS {
        for job in queue.dead(..500).query(&mut con).expect(REPLIES) {
            assert_eq!(job.tries(), TRIES, "{job:?}");
            let number = *job.value.as_ref().expect("it decodes");
            died += u64::from(number % FAILING != 0);
            finished.push(number);
        }
        let key = queue.key().expect("the key is valid");
        assert_eq!(without_expiry(&mut con, &*key).expect(REPLIES), [""; 0]);
    }
    finished.sort_unstable();
    // A job that was killed after its work, and then died, is done and dead.
    finished.dedup();
    assert_eq!(finished, (1..=jobs).collect::<Vec<_>>(), "no job is lost");
    println!(
        "soak: {jobs} jobs, {kills} workers killed, {twice} jobs done twice, {died} dead since their workers were killed"
    );
    assert!(kills > jobs / 200, "only {kills} kills");
}

#[test]
fn no_job_is_lost_by_workers_that_are_killed() {
    none_is_lost(10_000);
}

/// A full queue takes more jobs as soon as others are done.
#[test]
fn a_queue_takes_what_it_has_room_for() {
    let server = Server::start().expect("a server starts");
    let mut con = connect(&server.url());
    let queue = &SHARDS[0];
    (0..10).for_each(|chunk| _ = queue.push_many(chunk * 500..(chunk + 1) * 500).query(&mut con).expect(REPLIES));
    let error = queue.push(&5000).query(&mut con).expect_err("the queue is full");
    assert_eq!(error.kind(), ErrorKind::CollectionSize);
    let taken = queue.take(100).query(&mut con).expect(REPLIES).jobs;
    assert_eq!(queue.ack_many(&taken).query(&mut con).expect(REPLIES), [true; 100]);
    assert_eq!(queue.push_many(5000..5100).query(&mut con).expect(REPLIES).len(), 100);
}
