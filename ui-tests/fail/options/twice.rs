// An option is given once.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, ttl = 2h)]
struct Case {
    id: u64,
}

fn main() {}
