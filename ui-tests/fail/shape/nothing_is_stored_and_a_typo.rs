// A missing segment and a misspelt type are two mistakes.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:strng, value = u64, ttl = 1h)]
struct Case;

fn main() {}
