// No word is empty.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:basic..info:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {}
