// A key that never expires has no options of an expiry.
use redis_keys::prelude::*;

// A key that never expires has no jitter.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = "a fixed table", jitter = 5m)]
struct NeverAndJitter {
    id: u64,
}

// A key that never expires has no `renew`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = "a fixed table", renew = read)]
struct NeverAndRenew {
    id: u64,
}

// A key that never expires has no `null_ttl`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = "a fixed table", null_ttl = 5m)]
struct NeverAndNullTtl {
    id: u64,
}

// A key that never expires has no `ttl_from_end_of`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = "a fixed table", ttl_from_end_of = id)]
struct NeverAndBucket {
    id: u64,
}

fn main() {}
