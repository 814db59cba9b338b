// With `copies` no field is called `copy`.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct Case {
    copy: u8,
}

fn main() {}
