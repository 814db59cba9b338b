// How long absence is remembered.
use redis_keys::prelude::*;

// A number without a unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 300)]
struct NoUnit {
    id: u64,
}

// Nothing is remembered for no time.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 0s)]
struct Zero {
    id: u64,
}

// A name alone.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl)]
struct NoValue {
    id: u64,
}

fn main() {}
