//! A table for a module whose name is probably a typo.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cache:page:{id}:string, value = String, ttl = 1h, jitter = 10%)]
struct Page {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(clock:tick:{id}:string, value = u64, ttl = 1h)]
struct Tick {
    id: u64,
}

fn main() {
    let _ = (Page { id: 1 }.get(), Tick { id: 1 }.get());
}
