//! A policy file without permission to read; skipped for users who can read any file.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h)]
struct Name {
    id: u64,
}

fn main() {
    let _ = Name { id: 1 }.get();
}
