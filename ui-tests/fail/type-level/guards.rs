// A lock is held as long as its guard: the hint says how to keep it.
#![deny(unused_must_use)]

use redis_keys::lock::Locks;
use redis_keys::{Connection, Error, prelude::*};

#[derive(RedisKey)]
#[redis_key(lock:order:{id}:string, lock, ttl = 30s)]
struct OrderLock {
    id: u64,
}

async fn ship(locks: Locks<Connection>) -> Result<(), Error> {
    locks.acquire(&OrderLock { id: 1 }).await?;
    locks.acquire(&OrderLock { id: 2 });
    Ok(())
}

// Such a guard is dropped at once, which a lint of the compiler reports.
#[deny(let_underscore_drop)]
async fn drop_it(locks: Locks<Connection>) -> Result<(), Error> {
    let _ = locks.acquire(&OrderLock { id: 3 }).await?;
    Ok(())
}

fn main() {}
