// rustc alone reports a missing lifetime.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Name {
    id: &str,
}

fn main() {}
