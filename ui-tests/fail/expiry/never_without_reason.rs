// A key that never expires has a reason.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never)]
struct Case {
    id: u64,
}

fn main() {}
