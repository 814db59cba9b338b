// The jitter is at most the ttl.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 2h)]
struct Case {
    id: u64,
}

fn main() {}
