// The number of the copy has a place in the template.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, copies = 8)]
struct Case {
    id: u64,
}

fn main() {}
