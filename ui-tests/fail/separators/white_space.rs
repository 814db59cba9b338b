// White space between two words is no separator.
use redis_keys::prelude::*;

// White space between two words is no separator.
#[derive(RedisKey)]
#[redis_key(user:basic info:{id}:string, value = u64, ttl = 1h)]
struct WhiteSpace {
    id: u64,
}

// Two mistakes in one word have one suggestion.
#[derive(RedisKey)]
#[redis_key(user:Basic info:{id}:string, value = u64, ttl = 1h)]
struct WhiteSpaceAndCapital {
    id: u64,
}

fn main() {}
