// A jitter is a duration or a share of the ttl.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 0.1)]
struct Fraction {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10pct)]
struct Pct {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h30)]
struct NoUnit {
    id: u64,
}

fn main() {}
