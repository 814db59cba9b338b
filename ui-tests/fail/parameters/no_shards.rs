// A shard's divisor is a whole number from 2 to 4294967295.
use redis_keys::prelude::*;

// A shard's divisor is at least 2.
#[derive(RedisKey)]
#[redis_key(user:name:{id % 0}:string, value = u64, ttl = 1h)]
struct NoShards {
    id: u64,
}

// More than 32 bits can count.
#[derive(RedisKey)]
#[redis_key(user:age:{id % 99999999999}:string, value = u64, ttl = 1h)]
struct TooManyShards {
    id: u64,
}

// A shard's divisor is a number, not a name.
#[derive(RedisKey)]
#[redis_key(user:name:{id % MANY}:string, value = u64, ttl = 1h)]
struct ShardsByName {
    id: u64,
}

fn main() {}
