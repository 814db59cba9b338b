//! The bytes of copies: whatever is read, they stay within what the cache may take.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use redis_keys::testing::Server;

use super::keys::Text;
use super::{near_cache, new_ids, open, text};
use crate::cache::{NO_ERROR, multiplexed};

/// More than a copy of the tests takes.
const COPY: usize = 1_000;

/// Reads so many keys by so many tasks, each key `times` times on average, and checks the bytes all the time.
async fn fill(budget: usize, keys: u64, tasks: u64, times: u64) {
    let server = Server::start().expect("a server starts");
    let mut con = multiplexed(&server.url()).await;
    let ids = new_ids();
    for first in (0..keys).step_by(10_000) {
        let mut pipe = redis::pipe();
        for id in first..keys.min(first + 10_000) {
            pipe.cmd("SET").arg(text(&Text { id: ids + id })).arg(value(id)).arg("PX").arg(3_600_000).ignore();
        }
        pipe.exec_async(&mut con).await.expect("the server replies");
    }
    let cache = near_cache(&server.url()).with_near_bytes(budget);
    open(&cache).await;
    let (next, most, began) = (Arc::<AtomicU64>::default(), Arc::<AtomicU64>::default(), Instant::now());
    let tasks: Vec<_> = (0..tasks)
        .map(|_| {
            let (cache, next, most) = (cache.clone(), Arc::clone(&next), Arc::clone(&most));
            tokio::spawn(async move {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    if number >= keys * times {
                        break;
                    }
                    let id = if times == 1 { number } else { fastrand::u64(..keys) };
                    let found = cache.get_or_load(&Text { id: ids + id }, async || Ok::<_, Infallible>(None)).await;
                    assert_eq!(found.expect(NO_ERROR), Some(value(id)));
                    if number % 64 == 0 {
                        most.fetch_max(cache.stats().near.bytes as u64, Relaxed);
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task panics");
    }
    let (most, near) = (most.load(Relaxed), cache.stats().near);
    println!("{keys} keys in {budget} bytes: at most {most} bytes, in {:?}: {near:?}", began.elapsed());
    println!("soak: {} reads of more keys than there is room for", keys * times);
    assert!(most <= (budget + COPY) as u64, "{most}");
    assert!(near.copies > 0 && near.copies < usize::try_from(keys).unwrap_or(0), "{near:?}");
    assert_eq!(near.invalidated, 0, "{near:?}");
}

fn value(id: u64) -> String {
    format!("{id:0200}")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tiny_budget_is_kept() {
    fill(16 << 10, 500, 8, 10).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn far_more_keys_than_there_is_room_for_are_read_quickly() {
    fill(1 << 20, 50_000, 64, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long: `cargo xtask soak` runs it"]
async fn long_far_more_keys_than_there_is_room_for() {
    fill(16 << 10, 5_000, 8, 40).await;
    fill(32 << 20, 1_000_000, 64, 1).await;
}
