// Options that this version lacks.
use redis_keys::prelude::*;

// An option that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, null_ttl = 5m)]
struct NullTtl {
    id: u64,
}

fn main() {}
