// An option has a value.
use redis_keys::prelude::*;

// An option has a value.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter)]
struct WithoutValue {
    id: u64,
}

// An option has a value after its `=`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter =)]
struct WithoutValueAfterSign {
    id: u64,
}

fn main() {}
