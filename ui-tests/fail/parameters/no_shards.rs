// A shard's divisor is a whole number from 2 on.
use redis_keys::prelude::*;

// A shard's divisor is a number from 2 on.
#[derive(RedisKey)]
#[redis_key(user:name:{id % 0}:string, value = u64, ttl = 1h)]
struct NoShards {
    id: u64,
}

// A shard's divisor is a number, not a name.
#[derive(RedisKey)]
#[redis_key(user:name:{id % MANY}:string, value = u64, ttl = 1h)]
struct ShardsByName {
    id: u64,
}

fn main() {}
