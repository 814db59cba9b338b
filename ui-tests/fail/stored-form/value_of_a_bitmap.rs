// A bitmap holds bits.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:bitmap, ttl = 1h, value = u64)]
struct Case {
    id: u64,
}

fn main() {}
