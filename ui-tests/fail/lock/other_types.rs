// A lock is a string.
use redis_keys::prelude::*;

// A list.
#[derive(RedisKey)]
#[redis_key(order:locks:{id}:list, value = Lock, ttl = 30s)]
struct OfAList {
    id: u64,
}

// A sorted set.
#[derive(RedisKey)]
#[redis_key("order:held:{id}:zset", value = "Lock", ttl = "30s")]
struct OfAZset {
    id: u64,
}

// Lower case.
#[derive(RedisKey)]
#[redis_key(order:lock:{id}:string, value = lock, ttl = 30s)]
struct LowerCase {
    id: u64,
}

fn main() {}
