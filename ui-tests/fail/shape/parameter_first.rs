// A key starts with the name of its module, not with a parameter.
use redis_keys::prelude::*;

// A key starts with the name of its module, not with a parameter.
#[derive(RedisKey)]
#[redis_key({id}:name:string, value = u64, ttl = 1h)]
struct PlaceholderFirst {
    id: u64,
}

// A key starts with the name of its module, not with a hash tag.
#[derive(RedisKey)]
#[redis_key({#id}:name:string, value = u64, ttl = 1h)]
struct HashTagFirst {
    id: u64,
}

fn main() {}
