// An option is given once, and its value follows `=`.
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
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = " ", rebuild = "by hand")]
struct ReasonSaysNothing {
    id: u64,
}

// An option is given once.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, ttl = 2h)]
struct Twice {
    id: u64,
}

// An option is assigned, not called.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl(1h))]
struct InBrackets {
    id: u64,
}

// An option is assigned by `=`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl: 1h)]
struct WithColon {
    id: u64,
}

// An option has a value.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter)]
struct WithoutValue {
    id: u64,
}

// An option has a value after its `=`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter =)]
struct WithoutValueAfterSign {
    id: u64,
}

// `crate` is a path.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, crate = 5)]
struct CrateIsNoPath {
    id: u64,
}

fn main() {}
