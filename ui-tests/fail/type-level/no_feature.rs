// Without the feature of redis-keys there is no base32.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{name}:{bytes}:string, value = u64, ttl = 1h)]
struct Case<'n> {
    #[redis_key(base32)]
    name: &'n str,
    #[redis_key(base32)]
    bytes: Vec<u8>,
}

fn main() {}
