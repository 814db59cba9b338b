// A count is a whole number up to 5000.
use redis_keys::prelude::*;

// The most is 5000.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, max_len = 5001)]
struct TooManyElements {
    id: u64,
}

// A count has no unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, keep_last = 5k)]
struct Thousands {
    id: u64,
}

// A word is no count.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, keep_last = many)]
struct NoCount {
    id: u64,
}

// Zero is not a size.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, keep_last = 0)]
struct CountOfZero {
    id: u64,
}

fn main() {}
