// A shard is the rest of a division by a number that makes several of them.
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

// A shard has a divisor.
#[derive(RedisKey)]
#[redis_key(user:name:{id %}:string, value = u64, ttl = 1h)]
struct ShardsMissing {
    id: u64,
}

// A shard is less than the largest number, or it is the number itself.
#[derive(RedisKey)]
#[redis_key(user:names:{id % 300}:set, value = u64, ttl = 1h)]
struct Alone {
    id: u8,
}

// The number stands beside it.
#[derive(RedisKey)]
#[redis_key(user:ages:{id % 65_536}:{id}:set, value = u64, ttl = 1h)]
struct Beside {
    id: u16,
}

// In quotes, as a hash tag.
#[derive(RedisKey)]
#[redis_key("user:towns:{#id % 200}:set", value = u64, ttl = 1h)]
struct QuotedShard {
    id: i8,
}

fn main() {}
