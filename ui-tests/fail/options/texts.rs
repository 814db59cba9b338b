// A text is in quotes, and not empty.
use redis_keys::prelude::*;

// A text is in quotes.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, owner = web)]
struct OwnerWithoutQuotes {
    id: u64,
}

// A text that is missing.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, reason =)]
struct ReasonWithoutText {
    id: u64,
}

// A reason is not empty.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = " ")]
struct ReasonSaysNothing {
    id: u64,
}

fn main() {}
