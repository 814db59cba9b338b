// An option is assigned by `=`.
use redis_keys::prelude::*;

// An option is assigned, not called.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl(1h))]
struct InBrackets {
    id: u64,
}

// An option is assigned by `=`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl: 1h)]
struct WithColon {
    id: u64,
}

fn main() {}
