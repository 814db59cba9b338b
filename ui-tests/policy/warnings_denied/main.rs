//! Warnings follow the lint levels of the crate.
#![deny(warnings)]

use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cache:page:{id}:string, value = u64, ttl = 1h)]
struct Page {
    id: u64,
}

fn main() {
    let _ = Page { id: 1 }.get();
}
