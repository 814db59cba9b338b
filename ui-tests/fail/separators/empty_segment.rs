// No segment is empty; a run of separators is one mistake.
use redis_keys::prelude::*;

// No segment is empty.
#[derive(RedisKey)]
#[redis_key(user::name:{id}:string, value = u64, ttl = 1h)]
struct EmptySegment {
    id: u64,
}

// A run of separators is one mistake.
#[derive(RedisKey)]
#[redis_key(user:::name:{id}:string, value = u64, ttl = 1h)]
struct EmptySegments {
    id: u64,
}

// Of two separators that follow each other one is too many.
#[derive(RedisKey)]
#[redis_key(user:basic:.info:{id}:string, value = u64, ttl = 1h)]
struct ColonAndDot {
    id: u64,
}

fn main() {}
