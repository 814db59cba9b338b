// A slice has no size.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:picture:{id}:string, value = [u8], ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {}
