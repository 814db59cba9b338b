// A key that never expires says why.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never)]
struct Case {
    id: u64,
}

fn main() {}
