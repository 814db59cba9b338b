// A ttl is at most ten years.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 600w)]
struct Case {
    id: u64,
}

fn main() {}
