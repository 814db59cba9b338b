// A key is a struct, not a union.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:all:string, value = u64, ttl = 1h)]
union Case {
    one: u64,
    two: i64,
}

fn main() {}
