// One attribute in parentheses holds the template and all options.
use redis_keys::prelude::*;

// The attribute is missing.
#[derive(RedisKey)]
struct NoAttribute {
    id: u64,
}

// The attribute has no parentheses.
#[derive(RedisKey)]
#[redis_key]
struct EmptyAttribute {
    id: u64,
}

// The declaration is in parentheses.
#[derive(RedisKey)]
#[redis_key = "user:name:{id}:string"]
struct BehindAnEqualsSign {
    id: u64,
}

// One attribute holds the template and all options.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64)]
#[redis_key(ttl = 1h)]
struct TwoAttributes {
    id: u64,
}

// One attribute holds the template and all options.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
#[redis_key(jitter = 5m)]
struct SecondAttribute {
    id: u64,
}

// The attribute is empty.
#[derive(RedisKey)]
#[redis_key()]
struct Nothing;

// A doc comment belongs above the struct, not in the attribute.
#[derive(RedisKey)]
#[redis_key(
    /// Who it is.
    user:name:{id}:string, value = u64, ttl = 1h
)]
struct DocCommentInside {
    id: u64,
}

fn main() {}
