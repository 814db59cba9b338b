// `below` has a duration.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = below())]
struct Case {
    id: u64,
}

fn main() {}
