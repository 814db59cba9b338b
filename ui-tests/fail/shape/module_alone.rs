// A key has a module, has a segment for what is stored, and ends with its type.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user, value = u64, ttl = 1h)]
struct Case;

fn main() {}
