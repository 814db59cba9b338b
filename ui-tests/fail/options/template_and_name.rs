// A name for the template, after the template.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, name = "user:name")]
struct Case {
    id: u64,
}

fn main() {}
