// An expiry is above zero.
use redis_keys::prelude::*;

// An expiry is not zero.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 0s)]
struct Zero {
    id: u64,
}

// An expiry is not negative.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = -1h)]
struct Negative {
    id: u64,
}

fn main() {}
