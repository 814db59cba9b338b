// Options that a lock cannot have.
use redis_keys::prelude::*;

// Its owner counts on the ttl.
#[derive(RedisKey)]
#[redis_key(order:first:{id}:string, value = Lock, ttl = 30s, jitter = 5s)]
struct Jitter {
    id: u64,
}

// Whoever reads it is not its owner.
#[derive(RedisKey)]
#[redis_key(order:second:{id}:string, value = Lock, ttl = 30s, renew = read)]
struct Renewed {
    id: u64,
}

// Each copy would be a lock.
#[derive(RedisKey)]
#[redis_key(order:third:{copy}:string, value = Lock, ttl = 30s, copies = 8)]
struct Copies;

// The end of a month.
#[derive(RedisKey)]
#[redis_key(order:fourth:{month}:string, value = Lock, ttl = 30s, ttl_from_end_of = month)]
struct EndOfMonth {
    month: redis_keys::bucket::Month,
}

// Options of cached keys.
#[derive(RedisKey)]
#[redis_key(order:fifth:{id}:string, value = Lock, ttl = 30s, null_ttl = 5s, refresh = 80%)]
struct Cached {
    id: u64,
}

// Nobody chooses what it stores.
#[derive(RedisKey)]
#[redis_key(order:sixth:{id}:string, value = Lock, ttl = 30s, max_bytes = 1KB)]
struct Sized {
    id: u64,
}

fn main() {}
