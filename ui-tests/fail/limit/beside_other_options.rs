// Options that a rate limit cannot have.
use redis_keys::prelude::*;

// It has a ttl and stores something.
#[derive(RedisKey)]
#[redis_key(rate:first:{id}:string, value = u64, ttl = 1m, limit = 100 / 1m)]
struct ValueAndTtl {
    id: u64,
}

// It expires exactly.
#[derive(RedisKey)]
#[redis_key(rate:second:{id}:string, limit = 100 / 1m, jitter = 5s)]
struct Jitter {
    id: u64,
}

// It is renewed already.
#[derive(RedisKey)]
#[redis_key(rate:third:{id}:string, limit = 100 / 1m, renew = write)]
struct Renewed {
    id: u64,
}

// Each copy would allow all of it.
#[derive(RedisKey)]
#[redis_key(rate:fourth:{copy}:string, limit = 100 / 1m, copies = 8)]
struct Copies;

// Of another type.
#[derive(RedisKey)]
#[redis_key(rate:fifth:{id}:zset, limit = 100 / 1m)]
struct OfAZset {
    id: u64,
}

// Options of other patterns.
#[derive(RedisKey)]
#[redis_key(rate:sixth:{id}:string, limit = 100 / 1m, null_ttl = 5m, lease = 10s, refresh = 80%)]
struct Cached {
    id: u64,
}

fn main() {}
