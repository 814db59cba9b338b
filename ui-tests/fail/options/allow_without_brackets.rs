// The lints are in parentheses.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64, ttl = 1h, allow = missing_jitter)]
struct Assigned {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:age:{id}:string, value = u64, ttl = 1h, allow: missing_jitter)]
struct WithAColon {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:town:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, reason = "it is one key") owner = "web")]
struct NoCommaBehind {
    id: u64,
}

fn main() {}
