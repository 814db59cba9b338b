// `crate` is a path.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, crate = 5)]
struct Case {
    id: u64,
}

fn main() {}
