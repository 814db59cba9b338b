// A key has one template.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, user:other:{id}:string)]
struct Case {
    id: u64,
}

fn main() {}
