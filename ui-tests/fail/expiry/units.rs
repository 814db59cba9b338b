// A duration is whole numbers with units, the longest first.
use redis_keys::prelude::*;

// A duration has a unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 3600)]
struct NoUnit {
    id: u64,
}

// Units are short.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1hour)]
struct LongUnit {
    id: u64,
}

// An unknown unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1x)]
struct UnknownUnit {
    id: u64,
}

// Numbers are whole.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1.5h)]
struct Fraction {
    id: u64,
}

// The longest unit comes first.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 30m1h)]
struct Order {
    id: u64,
}

// A duration has no white space.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h 30m)]
struct WhiteSpace {
    id: u64,
}

// A word is not a duration.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = soon)]
struct Word {
    id: u64,
}

fn main() {}
