// A duration is whole numbers with units, above zero, the longest unit first.
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

// A duration is not an expression.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 60 * 60)]
struct Product {
    id: u64,
}

// A duration is not a call.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = Duration::from_secs(60))]
struct Duration {
    id: u64,
}

const TTL: u64 = 60;

// A duration is not a constant, here or of another module.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = TTL, jitter = config::JITTER)]
struct Constants {
    id: u64,
}

// A duration that is too large.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 99999999999999999999w)]
struct Overflow {
    id: u64,
}

// An expiry is not zero.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 0s)]
struct Zero {
    id: u64,
}

// An expiry is not negative.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = -1h)]
struct Negative {
    id: u64,
}

// A ttl is at most ten years.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 600w)]
struct ElevenYears {
    id: u64,
}

fn main() {}
