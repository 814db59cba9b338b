// A duration is not an expression.
use redis_keys::prelude::*;

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

fn main() {}
