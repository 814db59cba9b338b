// Opting out names a lint.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, allow())]
struct Case {
    id: u64,
}

fn main() {}
