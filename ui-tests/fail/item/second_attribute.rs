// One attribute holds the template and all options.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
#[redis_key(jitter = 5m)]
struct Case {
    id: u64,
}

fn main() {}
