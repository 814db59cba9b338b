//! Many calls of one key: few of them read.

use std::time::{Duration, Instant};

use super::keys::Brief;
use super::{calls, near_cache, new_ids, open, put, read};
use redis_keys::testing::Server;
use redis_keys_tests::Con;

const TASKS: u64 = 64;

async fn herd(time: Duration) {
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
    // All of them when there is no copy yet, then one for each renewal. On a busy machine a renewal can come too late.
    let most = TASKS * 3 + 2 * time.as_secs();
    assert!(gets <= most && reads > 10 * gets, "{gets} of {reads} reads were sent");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_calls_renews_a_copy() {
    herd(Duration::from_millis(2_500)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long: `cargo xtask soak` runs it"]
async fn long_one_of_many_calls_renews_a_copy() {
    herd(Duration::from_secs(20)).await;
}
