// One copy is too few.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy}:string, value = u64, ttl = 1h, copies = 1)]
struct Case {
    id: u64,
}

fn main() {}
