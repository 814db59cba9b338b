//! Only listed keys have `legacy`.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:settings:{id}:string, value = String, ttl = 1h, legacy = "User:{id}:Settings")]
struct Settings {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = String, ttl = 1h, legacy = "User:{id}:Name")]
struct Name {
    id: u64,
}

/// It has its name already.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u8, ttl = 1h, formerly = "User:{id}:Age")]
struct Age {
    id: u64,
}

fn main() {
    let _ = (Settings { id: 1 }.get(), Name { id: 1 }.get(), Age { id: 1 }.get());
}
