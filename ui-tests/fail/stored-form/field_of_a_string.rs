// Only a hash has fields.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = u64, field = String)]
struct Case {
    id: u64,
}

fn main() {}
