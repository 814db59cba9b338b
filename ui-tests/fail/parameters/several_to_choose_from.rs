// Several fields are left.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{x}:string, value = u64, ttl = 1h)]
struct Case {
    alpha: u64,
    beta: u64,
}

fn main() {}
