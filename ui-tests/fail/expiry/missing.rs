// Every key expires, or says why it never does.
use redis_keys::prelude::*;

// Every key expires.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64)]
struct Missing {
    id: u64,
}

// Every key expires. The suggestion depends on the module.
#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64)]
struct MissingForCache {
    id: u64,
}

// Every key expires. The suggestion depends on the module.
#[derive(RedisKey)]
#[redis_key(session:name:{id}:string, value = u64)]
struct MissingForSession {
    id: u64,
}

// Every key expires. The suggestion depends on the module.
#[derive(RedisKey)]
#[redis_key(lock:name:{id}:string, lock)]
struct MissingForLock {
    id: u64,
}

// Another name for `never`, which has a reason.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = forever)]
struct Forever {
    id: u64,
}

// The reply of Redis for a key that never expires.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = -1)]
struct MinusOne {
    id: u64,
}

// A typo in `never`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = nevr)]
struct SlipInNever {
    id: u64,
}

// A key that never expires has a reason.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never)]
struct NeverWithoutReason {
    id: u64,
}

// A key that never expires has no jitter.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = "a fixed table", rebuild = "from the table", jitter = 5m)]
struct NeverAndJitter {
    id: u64,
}

// A key that never expires has no `renew`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = "a fixed table", rebuild = "from the table", renew = read)]
struct NeverAndRenew {
    id: u64,
}

// A key that never expires is no cached key.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = "a fixed table", rebuild = "from the table", cache(null_ttl = 5m))]
struct NeverAndNullTtl {
    id: u64,
}

// A key that never expires has no `ttl_from_end_of`.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = never, reason = "a fixed table", rebuild = "from the table", ttl_from_end_of = id)]
struct NeverAndBucket {
    id: u64,
}

// A key that expires is not rebuilt.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, rebuild = "from the database")]
struct ExpiresAndRebuild {
    id: u64,
}

fn main() {}
