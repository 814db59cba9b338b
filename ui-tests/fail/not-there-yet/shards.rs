// Shards are not there yet.
use redis_keys::prelude::*;

// Shards are not there yet.
#[derive(RedisKey)]
#[redis_key(user:name:{id % 1000}:string, value = u64, ttl = 1h)]
struct Shard {
    id: u64,
}

// Shards are not there yet, also beside the whole.
#[derive(RedisKey)]
#[redis_key(user:{id % 1000}:{id}:string, value = u64, ttl = 1h)]
struct ShardAndPlain {
    id: u64,
}

fn main() {}
