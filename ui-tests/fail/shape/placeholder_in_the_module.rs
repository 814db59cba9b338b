// The module's name has no parameter in it.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user.{id}:name:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {}
