// An unknown option.
use redis_keys::prelude::*;

// An unknown option.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, colour = red)]
struct Unknown {
    id: u64,
}

// Not an option at all.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, 5)]
struct UnknownAndNumeric {
    id: u64,
}

// Not an option at all.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, !)]
struct UnknownSign {
    id: u64,
}

fn main() {}
