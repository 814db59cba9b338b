// A key has one hash tag.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:{#id}:{#page}:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
    page: u32,
}

fn main() {}
