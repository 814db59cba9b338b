// Two commas without an option between them.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h,, jitter = 5m)]
struct Case {
    id: u64,
}

fn main() {}
