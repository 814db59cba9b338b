// How much a limit allows at once.
use redis_keys::prelude::*;

// Nothing.
#[derive(RedisKey)]
#[redis_key(rate:first:{id}:string, limit = 100 / 1m, burst = 0)]
struct Zero {
    id: u64,
}

// Without a limit.
#[derive(RedisKey)]
#[redis_key(rate:second:{id}:string, burst = 20)]
struct Alone {
    id: u64,
}

// Beside a count.
#[derive(RedisKey)]
#[redis_key(user:calls:{id}:string, value = u64, ttl = 1m, burst = 20)]
struct Count {
    id: u64,
}

// A key that lives longer than ten years.
#[derive(RedisKey)]
#[redis_key(rate:third:{id}:string, limit = 1 / 365d, burst = 11)]
struct TooLong {
    id: u64,
}

fn main() {}
