// A size is a whole number of `B`, `KB` or `MB`.
use redis_keys::prelude::*;

// A unit of size is upper case.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 64kb)]
struct UnitInLowerCase {
    id: u64,
}

// A unit that others use.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 64KiB)]
struct OtherUnit {
    id: u64,
}

// A word is no size.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = big)]
struct Word {
    id: u64,
}

// Zero is not a size.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 0)]
struct Zero {
    id: u64,
}

// A size that is too large.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 99999999999999999999MB)]
struct Endless {
    id: u64,
}

// What is meant is more than there can be.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, max_bytes = 4mb)]
struct TooLarge {
    id: u64,
}

fn main() {}
