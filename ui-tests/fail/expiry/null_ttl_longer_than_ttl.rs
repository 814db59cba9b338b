// The ttl of absent values is at most the ttl.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 5m, null_ttl = 2h)]
struct Case {
    id: u64,
}

fn main() {}
