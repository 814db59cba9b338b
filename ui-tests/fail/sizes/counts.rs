// A count is a whole number up to 5000, or to a million in a log.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Event {
    page: u64,
}

// The most is 5000.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h, value = u64, max_len = 5001)]
struct TooManyElements {
    id: u64,
}

// The most of a log is a million.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:stream, ttl = 1h, value = Event, keep_last = ~2_000_000)]
struct TooManyEntries {
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
