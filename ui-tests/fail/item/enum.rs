// A key is a struct, not an enum.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:all:string, value = u64, ttl = 1h)]
enum Case {
    One,
    Two,
}

fn main() {}
