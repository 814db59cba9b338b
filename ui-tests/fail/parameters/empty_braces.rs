// A placeholder names its field.
use redis_keys::prelude::*;

// A placeholder names its field.
#[derive(RedisKey)]
#[redis_key(user:name:{}:string, value = u64, ttl = 1h)]
struct EmptyBraces {
    id: u64,
}

// A placeholder names its field, and there is none.
#[derive(RedisKey)]
#[redis_key(user:name:{}:string, value = u64, ttl = 1h)]
struct EmptyBracesNoFields;

// A hash tag names its field.
#[derive(RedisKey)]
#[redis_key(user:name:{#}:string, value = u64, ttl = 1h)]
struct EmptyHashTag {
    id: u64,
}

fn main() {}
