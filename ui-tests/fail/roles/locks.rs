// Locks: the type, the ttl, and other options.
use redis_keys::prelude::*;

// A list.
#[derive(RedisKey)]
#[redis_key(order:locks:{id}:list, lock, ttl = 30s)]
struct OfAList {
    id: u64,
}

// A sorted set.
#[derive(RedisKey)]
#[redis_key("order:held:{id}:zset", lock, ttl = "30s")]
struct OfAZset {
    id: u64,
}

// Upper case.
#[derive(RedisKey)]
#[redis_key(order:lock:{id}:string, Lock, ttl = 30s)]
struct UpperCase {
    id: u64,
}

// No end.
#[derive(RedisKey)]
#[redis_key(order:first:{id}:string, lock, ttl = never, reason = "one owner")]
struct Never {
    id: u64,
}

// A lease is the ttl of a lock.
#[derive(RedisKey)]
#[redis_key(order:second:{id}:string, lock, lease = 10s)]
struct Lease {
    id: u64,
}

// The name of another library.
#[derive(RedisKey)]
#[redis_key(order:third:{id}:string, lock, lock_timeout = 10)]
struct LockTimeout {
    id: u64,
}

// None at all.
#[derive(RedisKey)]
#[redis_key(lock:order:{id}:string, lock)]
struct Missing {
    id: u64,
}

// Its owner counts on the ttl.
#[derive(RedisKey)]
#[redis_key(order:first:{id}:string, lock, ttl = 30s, jitter = 5s)]
struct Jitter {
    id: u64,
}

// Whoever reads it is not its owner.
#[derive(RedisKey)]
#[redis_key(order:second:{id}:string, lock, ttl = 30s, renew = read)]
struct RenewedLock {
    id: u64,
}

// Each copy would be a lock.
#[derive(RedisKey)]
#[redis_key(order:third:{copy}:string, lock, ttl = 30s, copies = 8)]
struct Copies;

// The end of a month.
#[derive(RedisKey)]
#[redis_key(order:fourth:{month}:string, lock, ttl = 30s, ttl_from_end_of = month)]
struct EndOfMonth {
    month: redis_keys::parameter::bucket::Month,
}

// Options of cached keys.
#[derive(RedisKey)]
#[redis_key(order:fifth:{id}:string, lock, ttl = 30s, cache(null_ttl = 5s, refresh = 80%))]
struct CachedLock {
    id: u64,
}

// Nobody chooses what it stores.
#[derive(RedisKey)]
#[redis_key(order:sixth:{id}:string, lock, ttl = 30s, max_bytes = 1KB)]
struct SizedLock {
    id: u64,
}

fn main() {}
