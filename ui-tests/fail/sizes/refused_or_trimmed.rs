// A collection has `max_len` or is trimmed, not both.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, max_len = 10, keep_last = 5)]
struct Case {
    id: u64,
}

fn main() {}
