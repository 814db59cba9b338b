// A parameter is no key.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key({id}, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {}
