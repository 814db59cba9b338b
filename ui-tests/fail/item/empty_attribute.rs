// The attribute has no parentheses.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key]
struct Case {
    id: u64,
}

fn main() {}
