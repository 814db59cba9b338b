// A placeholder has no format.
use redis_keys::prelude::*;

// A placeholder has no format: the field's type says how it is written.
#[derive(RedisKey)]
#[redis_key(user:name:{id:?}:string, value = u64, ttl = 1h)]
struct DebugFormat {
    id: u64,
}

// A placeholder has no format, and no width.
#[derive(RedisKey)]
#[redis_key(user:name:{id:08}:string, value = u64, ttl = 1h)]
struct PaddedFormat {
    id: u64,
}

fn main() {}
