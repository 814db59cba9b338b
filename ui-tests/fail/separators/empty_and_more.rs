// An empty segment hides no other mistake.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user::basicInfo:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {}
