// A batch takes one argument, and only what is one step.
use std::time::Duration;

use redis_keys::{Connection, prelude::*};

#[derive(RedisKey)]
#[redis_key(user:name:{user}:string, value = String, ttl = 1h)]
struct Name {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(user:tags:{user}:set, value = String, ttl = 30d)]
struct Tags {
    user: u64,
}

#[derive(RedisKey)]
#[redis_key(queue:waiting:{tenant}:list, value = u64, ttl = 1d)]
struct Queue {
    tenant: u32,
}

fn two_arguments() {
    // answer: batch((a, b))
    let _ = batch(Name { user: 1 }.get(), Tags { user: 1 }.scard());
    // answer: atomic((a, b))
    let _ = atomic(Name { user: 1 }.get(), Tags { user: 1 }.scard());
}

async fn several_steps(con: &Connection) {
    // answer: `.collect(&con).await`
    let _ = batch((Tags { user: 1 }.sscan(), Name { user: 1 }.get())).run(con).await;
    // answer: `members()`, `entries()` and `items()`
    let _ = batch_iter((1..50).map(|user| Tags { user }.sscan())).run(con).await;
    // answer: cannot be part of a batch or of a transaction
    let _ = atomic((Queue { tenant: 1 }.blpop(Duration::from_secs(1)), Name { user: 1 }.get())).run(con).await;
    // answer: `.lpop()`
    let _ = batch([Queue { tenant: 1 }.blpop(Duration::from_secs(1))]);
}

fn main() {}
