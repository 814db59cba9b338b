//! Cached keys that expire at the same time.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cache:page:{id}:string, value = String, ttl = 1h)]
struct Page {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("cache:pages:{id}:list", value = String, ttl = "1h30m")]
struct Pages {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:profile:{id}:string, value = String, ttl = 1h, cache(null_ttl = 5m))]
struct Profile {
    id: u64,
}

fn main() {
    let _ = (Page { id: 1 }.get(), Pages { id: 1 }.llen(), Profile { id: 1 }.get());
}
