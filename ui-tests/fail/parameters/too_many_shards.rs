// A shard is less than the largest number, or it is the number itself.
use redis_keys::prelude::*;

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
struct Quoted {
    id: i8,
}

fn main() {}
