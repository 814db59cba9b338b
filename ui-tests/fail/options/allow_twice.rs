// A key opts out of a lint once.
use redis_keys::prelude::*;

// Each has its reason.
#[derive(RedisKey)]
#[redis_key(
    user:name:{id}:string,
    value = u64,
    ttl = 1h,
    allow(overlap, reason = "it is the same value"),
    allow(long_key, overlap, reason = "it is told so")
)]
struct InTwo {
    id: u64,
}

// One reason for both, and a third.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, allow(overlap, "overlap", overlap, reason = "who knows"))]
struct InOne {
    id: u64,
}

fn main() {}
