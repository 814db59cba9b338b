// A missing type hides no other mistake of the last word.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:basicInfo, value = u64, ttl = 1h)]
struct Case;

fn main() {}
