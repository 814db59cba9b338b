//! Locks on one server: acquired and released with redis-keys, and with the crate `rslock`.

use std::time::Duration;

use redis_keys::lock::Locks;
use redis_keys::prelude::*;
use rslock::LockManager;

use crate::connections::{MultiplexedServer, share};
use crate::turns::{Side, take_turns};

/// The ids in a turn of many tasks, and of one.
const IDS: u64 = 1_024;
const IDS_ALONE: u64 = 64;

/// The number of different locks: no task waits for one.
const LOCKS: u64 = 1_024;

const TTL: Duration = Duration::from_secs(30);

#[derive(RedisKey)]
#[redis_key(lock:order:{order}:string, lock, ttl = 30s)]
struct OrderLock {
    order: u64,
}

/// Locks that are acquired and released by tasks which share a connection.
pub(crate) fn measure(name: &str, tasks: u64) {
    let server = MultiplexedServer::start();
    let ours = async |id: u64, locks: &mut Locks<_>| {
        let guard = locks.acquire(&OrderLock { order: id % LOCKS }).await.expect("the lock is free");
        assert!(guard.release().await.expect("the server replies"), "nobody else has it");
    };
    let theirs = async |id: u64, locks: &mut LockManager| {
        let resource = format!("lock:other.order:{}:string", id % LOCKS);
        let guard = locks.acquire(resource.as_str(), TTL).await.expect("the lock is free");
        guard.release().await;
    };
    let locks = Locks::new(server.connect());
    let other_locks = LockManager::new(vec![server.server.url()]);
    let ids = if tasks == 1 { IDS_ALONE } else { IDS };
    let sides = [
        Side::new(1, ids, |ids| share(&server.runtime, tasks, &locks, ids, ours)),
        Side::new(1, ids, |ids| share(&server.runtime, tasks, &other_locks, ids, theirs)),
    ];
    take_turns(name, 1, sides);
}
