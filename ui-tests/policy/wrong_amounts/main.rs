//! Durations and sizes that do not parse or exceed the limits, and empty texts.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
struct Name {
    id: u64,
}

fn main() {
    let _ = Name { id: 1 }.get();
}
