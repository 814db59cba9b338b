// A key has a segment for what is stored, between its module and its type.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:string, value = u64, ttl = 1h)]
struct Case;

fn main() {}
