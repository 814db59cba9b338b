// A queue of jobs is a zset.
use redis_keys::prelude::*;

// A list.
#[derive(RedisKey)]
#[redis_key(queue:first:{id}:list, value = Job<Json<Vec<u8>>>, ttl = 7d, lease = 1m, tries = 5)]
struct OfAList {
    id: u64,
}

// A stream.
#[derive(RedisKey)]
#[redis_key(queue:second:{id}:stream, value = Job<String>, ttl = 7d)]
struct OfAStream {
    id: u64,
}

fn main() {}
