// A key that can be too long for some values of its parameters.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{a}:{b}:{c}:string, value = u64, ttl = 1h)]
struct Case {
    a: u128,
    b: u128,
    c: u128,
}

fn main() {}
