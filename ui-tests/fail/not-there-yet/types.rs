// Types that this version lacks.
use redis_keys::prelude::*;

// A type that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hash, value = u64, ttl = 1h)]
struct Hash {
    id: u64,
}

// A type that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, value = u64, ttl = 1h)]
struct List {
    id: u64,
}

// A type that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:set, value = u64, ttl = 1h)]
struct Set {
    id: u64,
}

// A type that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:zset, value = u64, ttl = 1h)]
struct Zset {
    id: u64,
}

// A type that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:bitmap, ttl = 1h)]
struct Bitmap {
    id: u64,
}

// A type that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hyperloglog, value = u64, ttl = 1h)]
struct Hyperloglog {
    id: u64,
}

// A type that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:geo, value = u64, ttl = 1h)]
struct Geo {
    id: u64,
}

// A type that this version lacks.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:stream, value = u64, ttl = 1h)]
struct Stream {
    id: u64,
}

fn main() {}
