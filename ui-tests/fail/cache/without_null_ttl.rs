// Options of cached keys, without the one that makes a cached key.
use redis_keys::prelude::*;

// A lease alone.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, lease = 10s)]
struct Lease {
    id: u64,
}

// A refresh alone.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 30m, refresh = 80%)]
struct Refresh {
    id: u64,
}

// Both are one error.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, lease = 10s, refresh = 80%)]
struct Both {
    id: u64,
}

fn main() {}
