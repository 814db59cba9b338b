// A duration that is too large.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 99999999999999999999w)]
struct Case {
    id: u64,
}

fn main() {}
