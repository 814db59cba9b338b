// A key has a module, says what is stored, and ends with its type.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user, value = u64, ttl = 1h)]
struct Case;

fn main() {}
