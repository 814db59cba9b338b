// A field is in the template once.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:of:{id}:string, value = u64, ttl = 1h)]
struct Case {
    id: u64,
}

// As the hash tag too.
#[derive(RedisKey)]
#[redis_key(user:name:{#id}:of:{#id}:string, value = u64, ttl = 1h)]
struct HashTag {
    id: u64,
}

fn main() {}
