//! Many calls of one key: few of them read.

use std::time::{Duration, Instant};

use super::keys::Brief;
use super::{calls, near_cache, new_ids, open, put, read};
use redis_keys::testing::Server;
use redis_keys_tests::Con;

const TASKS: u64 = 64;

/// Reads one key by many tasks, and returns how many of the reads were sent.
async fn herd(time: Duration) -> u64 {
    let server = Server::start().expect("a server starts");
    let (cache, mut con) = (near_cache(&server.url()), Con::blocking(&server.url()));
    let id = new_ids();
    put(&mut con, &Brief { id }, 7);
    open(&cache).await;
    let (before, began) = (calls(&mut con, "get"), Instant::now());
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| {
            let cache = cache.clone();
            tokio::spawn(async move {
                let mut reads = 0_u64;
                while began.elapsed() < time {
                    assert_eq!(read(&cache, &Brief { id }).await, Some(7));
                    reads += 1;
                }
                reads
            })
        })
        .collect();
    let mut reads = 0;
    for task in tasks {
        reads += task.await.expect("no task panics");
    }
    let gets = calls(&mut con, "get") - before;
    println!("soak: {reads} reads by {TASKS} tasks, {gets} of them sent");
    assert!(reads > 10 * gets, "{gets} of {reads} reads were sent");
    gets
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_calls_renews_a_copy() {
    // All tasks read when there is no copy yet, then one of them for each renewal. On a busy machine a renewal comes too
    // late now and then, and not each time.
    let mut fewest = u64::MAX;
    for _ in 0..4 {
        fewest = fewest.min(herd(Duration::from_millis(2_500)).await);
        if fewest < TASKS + 20 {
            return;
        }
    }
    panic!("{fewest} reads were sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long: `cargo xtask soak` runs it"]
async fn long_one_of_many_calls_renews_a_copy() {
    let sent = herd(Duration::from_secs(20)).await;
    assert!(sent < TASKS * 6, "{sent}");
}
