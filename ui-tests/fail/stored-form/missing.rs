// Every type but a bitmap has a `value`.
use redis_keys::prelude::*;

// A string has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h)]
struct Missing {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hash, ttl = 1h)]
struct MissingForHash {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:list, ttl = 1h)]
struct MissingForList {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:set, ttl = 1h)]
struct MissingForSet {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:zset, ttl = 1h)]
struct MissingForZset {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hyperloglog, ttl = 1h)]
struct MissingForHyperloglog {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:geo, ttl = 1h)]
struct MissingForGeo {
    id: u64,
}

// Every type but a bitmap has a `value`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:stream, ttl = 1h)]
struct MissingForStream {
    id: u64,
}

fn main() {}
