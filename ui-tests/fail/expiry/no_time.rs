// An expiry is some time.
use redis_keys::prelude::*;

// No time at all is no expiry.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 0s)]
struct Zero {
    id: u64,
}

// No time is less than none.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = -1h)]
struct Negative {
    id: u64,
}

fn main() {}
