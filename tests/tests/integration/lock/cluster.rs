//! Locks on a cluster, on the connection of redis-keys, while their slots move.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;

use redis::Client;
use redis_keys::lock::Locks;
use redis_keys::testing::Cluster;
use redis_keys::{ConnectOptions, cluster};
use redis_keys_tests::{move_slots, seed};

use super::PATIENCE;
use super::keys::{Order, text};

const TASKS: u32 = 8;

const TURNS: u32 = 100;

const LOCKS: u32 = 2;

/// A protected resource: how often its lock was held, and the largest fence.
#[derive(Clone, Copy, Default)]
struct Resource {
    turns: u32,
    fence: u64,
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_has_one_holder_while_its_slot_moves() {
    let cluster = Cluster::start().expect("a cluster starts");
    let clients: Vec<_> =
        cluster.urls().into_iter().map(|url| Client::open(url).expect("the address is valid")).collect();
    let options = ConnectOptions::new().with_time_limit(PATIENCE);
    let locks = Locks::new(cluster::connect_with(&clients, options).expect("the addresses are valid"));
    let resources: [_; LOCKS as usize] = [(); 2].map(|()| Arc::new(Mutex::new(Resource::default())));

    let is_done = Arc::new(AtomicBool::new(false));
    let continues = Arc::clone(&is_done);
    let keys: Vec<_> = (0..LOCKS).map(|id| text(&Order { id })).collect();
    let moving = tokio::task::spawn_blocking(move || {
        move_slots(cluster, &keys, seed(), || {
            // A redirection that is followed only after two more moves would create the lock once more.
            sleep(Duration::from_millis(20));
            !continues.load(Relaxed)
        })
    });
    let tasks: Vec<_> = (0..TASKS)
        .map(|task| {
            let (locks, id) = (locks.clone(), task % LOCKS);
            let resource = Arc::clone(&resources[id as usize]);
            tokio::spawn(async move {
                for _ in 0..TURNS {
                    let guard = locks
                        .acquire(&Order { id })
                        .with_time_limit(PATIENCE)
                        .await
                        .expect("the lock is free in the end");
                    let old = *resource.lock().expect("no task panics");
                    assert!(guard.fence() > old.fence, "{} after {}", guard.fence(), old.fence);
                    tokio::time::sleep(Duration::from_millis(1)).await;
                    *resource.lock().expect("no task panics") = Resource { turns: old.turns + 1, fence: guard.fence() };
                    assert!(guard.release().await.expect("the cluster replies"));
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.expect("no task panics");
    }
    is_done.store(true, Relaxed);
    let moves = moving.await.expect("the slots move");
    assert!(moves > 0);
    println!("soak: {} turns, {moves} moved slots", TASKS * TURNS);
    for resource in resources {
        assert_eq!(resource.lock().expect("no task panics").turns, TASKS / LOCKS * TURNS);
    }
}
