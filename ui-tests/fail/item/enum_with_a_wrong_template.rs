// An item that is not a struct is reported together with all else.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:basicInfo:all:string, value = u64, ttl = 1h)]
enum Case {
    One,
}

fn main() {}
