// Each field that is not in the template is reported.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:all:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
    page: u32,
}

fn main() {}
