//! A key of more than 30 bytes, with the lint enabled.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:basic.info:{id}:string, value = String, ttl = 1h)]
struct Info {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("user:other.info:{id}:string", value = String, ttl = 1h)]
struct QuotedTemplate {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(u:name:{id}:string, value = String, ttl = 1h)]
struct Short {
    id: u32,
}

fn main() {
    let _ = (Info { id: 1 }.get(), QuotedTemplate { id: 1 }.get(), Short { id: 1 }.get());
}
