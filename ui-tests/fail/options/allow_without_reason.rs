// Opting out takes a reason.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, allow(long_word))]
struct Case {
    id: u64,
}

fn main() {}
