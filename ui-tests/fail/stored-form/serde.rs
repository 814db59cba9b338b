// A codec is part of the value, as a switch too.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, serde)]
struct Case {
    id: u64,
}

fn main() {}
