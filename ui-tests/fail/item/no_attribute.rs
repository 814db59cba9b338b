// The attribute is missing.
use redis_keys::prelude::*;

#[derive(RedisKey)]
struct Case {
    id: u64,
}

fn main() {}
