// The template comes first.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(ttl = 1h, user:name:{id}:string, value = u64)]
struct Case {
    id: u64,
}

fn main() {}
