// Brackets are no braces.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:[id]:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

// Parentheses are no braces either.
#[derive(RedisKey)]
#[redis_key(user:name:(id):string, value = u64, ttl = 1h)]
struct Parentheses {
    id: u64,
}

fn main() {}
