//! Queues on a cluster whose slots move.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use redis::Client;
use redis_keys::prelude::*;
use redis_keys::testing::Cluster;
use redis_keys::{ConnectOptions, cluster};
use redis_keys_tests::{move_slots, seed};

use super::keys::{Mails, text};

const QUEUES: u32 = 8;

/// The jobs of each queue.
const JOBS: u32 = 300;

/// The tasks that push, and those that take.
const TASKS: u32 = 4;

fn connect(urls: &[String]) -> cluster::Connection {
    let clients: Vec<_> = urls.iter().map(|url| Client::open(url.as_str()).expect("the address is valid")).collect();
    let options = ConnectOptions::new().with_time_limit(Duration::from_secs(20));
    cluster::connect_with(&clients, options).expect("the addresses are valid")
}

/// Pushes all jobs of every fourth queue.
async fn push(mut con: cluster::Connection, task: u32) {
    for job in 0..JOBS {
        for tenant in (task..QUEUES).step_by(TASKS as usize) {
            Mails { tenant }.push(&format!("{tenant} {job}")).query_async(&mut con).await.expect("the push succeeds");
        }
    }
}

/// The number of times that each job was done.
type DoneCounts = Mutex<HashMap<String, u32>>;

/// Takes jobs until all are done.
async fn work(mut con: cluster::Connection, done: Arc<DoneCounts>, left: Arc<AtomicU64>, mut rng: fastrand::Rng) {
    while left.load(Ordering::Relaxed) > 0 {
        let queue = Mails { tenant: rng.u32(..QUEUES) };
        let taken = queue.take(rng.u32(1..=10)).query_async(&mut con).await.expect("the take succeeds");
        for job in &taken.jobs {
            let value = job.value.clone().expect("it decodes");
            *done.lock().expect("no task panics").entry(value).or_default() += 1;
        }
        let acked = queue.ack_many(&taken.jobs).query_async(&mut con).await.expect("the ack succeeds");
        left.fetch_sub(acked.iter().filter(|acked| **acked).count() as u64, Ordering::Relaxed);
    }
}

/// On the connection of redis-keys. That of redis-rs passes errors on while this many slots move.
#[test]
fn each_job_is_done_once_while_slots_move() {
    let cluster = Cluster::start().expect("a cluster starts");
    let urls = cluster.urls();
    let done = Arc::<DoneCounts>::default();
    let left = Arc::new(AtomicU64::new(u64::from(QUEUES * JOBS)));
    let mut rng = fastrand::Rng::with_seed(seed());
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime starts");
    let mut tasks = Vec::new();
    for task in 0..TASKS {
        let con = connect(&urls);
        tasks.push(runtime.spawn(push(con.clone(), task)));
        tasks.push(runtime.spawn(work(con, Arc::clone(&done), Arc::clone(&left), rng.fork())));
    }
    let keys: Vec<_> = (0..QUEUES).map(|tenant| text(&Mails { tenant })).collect();
    // One that panics while others go on would leave them waiting.
    let all = runtime.spawn(async { futures_util::future::try_join_all(tasks).await.map(drop) });
    let moved = move_slots(cluster, &keys, seed(), || !all.is_finished());
    runtime.block_on(all).expect("no task panics").expect("no task panics");
    let done = done.lock().expect("no task panics");
    assert_eq!(done.len(), (QUEUES * JOBS) as usize, "no job is lost");
    assert!(done.values().all(|times| *times == 1), "{done:?}");
    assert!(moved > 0);
    println!("soak: {moved} moves, {} jobs", done.len());
}
