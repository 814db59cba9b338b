// For ever is called `never`, and has a reason.
use redis_keys::prelude::*;

// For ever is called `never`, and has a reason.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = forever)]
struct Forever {
    id: u64,
}

// What Redis answers for a key that never expires.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = -1)]
struct MinusOne {
    id: u64,
}

// A slip of the pen in `never`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = nevr)]
struct SlipInNever {
    id: u64,
}

fn main() {}
