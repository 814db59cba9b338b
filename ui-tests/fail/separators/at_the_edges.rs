// A key neither starts nor ends with a separator.
use redis_keys::prelude::*;

// A key doesn't start with a separator.
#[derive(RedisKey)]
#[redis_key(:user:name:{id}:string, value = u64, ttl = 1h)]
struct LeadingColon {
    id: u64,
}

// A key doesn't start with a separator.
#[derive(RedisKey)]
#[redis_key(.user:name:{id}:string, value = u64, ttl = 1h)]
struct LeadingDot {
    id: u64,
}

// A key doesn't end with a separator.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string:, value = u64, ttl = 1h)]
struct TrailingColon {
    id: u64,
}

// A key doesn't end with a separator.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string., value = u64, ttl = 1h)]
struct TrailingDot {
    id: u64,
}

fn main() {}
