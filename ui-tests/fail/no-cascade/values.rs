// Types that cannot be stored, one error each.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = str, ttl = 1h)]
struct Text {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = &'static str, ttl = 1h)]
struct Borrowed {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = Option<String>, ttl = 1h)]
struct Optional {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = Json(Card), ttl = 1h)]
struct Parentheses {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = Json<u8, ttl = 1h)]
struct Unclosed {
    id: u64,
}

fn main() {}
