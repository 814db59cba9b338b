// Another name for `never`, which has a reason.
use redis_keys::prelude::*;

// Another name for `never`, which has a reason.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = forever)]
struct Forever {
    id: u64,
}

// The reply of Redis for a key that never expires.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = -1)]
struct MinusOne {
    id: u64,
}

// A typo in `never`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = nevr)]
struct SlipInNever {
    id: u64,
}

fn main() {}
