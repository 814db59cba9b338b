// The attribute has no brackets.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key]
struct Case {
    id: u64,
}

fn main() {}
