// A jitter is a duration, or 1% to 100% of the ttl.
use redis_keys::prelude::*;

// The jitter has a unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 300)]
struct JitterWithoutUnit {
    id: u64,
}

// A share is 1% to 100%.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 0%)]
struct JitterOfNoPercent {
    id: u64,
}

// A share is 1% to 100%.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 200%)]
struct JitterOfTooManyPercent {
    id: u64,
}

// A jitter is a duration or a share of the ttl.
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

// The jitter is at most the ttl.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 2h)]
struct JitterLongerThanTtl {
    id: u64,
}

fn main() {}
