// A key in quotes that can be too long.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key("user:name:{a}:{b}:{c}:{d}:string", value = u64, ttl = 1h)]
struct Case {
    a: u128,
    b: u128,
    c: u128,
    d: u128,
}

fn main() {}
