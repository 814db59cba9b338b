// A key has a module and has a segment for what is stored.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(string, value = u64, ttl = 1h)]
struct Case;

fn main() {}
