// Separators alone are no key.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(:.:, value = u64, ttl = 1h)]
struct Case;

fn main() {}
