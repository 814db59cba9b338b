// What others call our options.
use redis_keys::prelude::*;

// What others call `jitter`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, spread = 5m)]
struct Spread {
    id: u64,
}

// What others call `renew`, as a switch.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, sliding = true)]
struct Sliding {
    id: u64,
}

// What others call `max_bytes`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_size = 64KB)]
struct MaxSize {
    id: u64,
}

fn main() {}
