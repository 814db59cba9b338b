// Options that a cached key cannot have, and options that only a cached key has.
use redis_keys::prelude::*;

// A lease must end although there are reads.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, renew = read, cache(null_ttl = 5m))]
struct RenewedByReads {
    id: u64,
}

// The same.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, renew = below(10m), cache(null_ttl = 5m, refresh = 80%))]
struct RenewedByFewReads {
    id: u64,
}

// There is one lease.
#[derive(RedisKey)]
#[redis_key(user:name:{copy}:string, value = u64, ttl = 1h, jitter = 10%, copies = 8, cache(null_ttl = 5m))]
struct Copies;

// The end of a month.
#[derive(RedisKey)]
#[redis_key(user:name:{month}:string, value = u64, ttl = 1h, jitter = 10%, ttl_from_end_of = month, cache(null_ttl = 5m, refresh = 80%))]
struct EndOfMonth {
    month: redis_keys::parameter::bucket::Month,
}

// No end at all.
#[derive(RedisKey)]
#[redis_key(user:email:{id}:string, value = u64, ttl = never, reason = "a fixed table", rebuild = "from the table", cache(lease = 10s))]
struct Never {
    id: u64,
}

// A lease alone.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, cache(lease = 10s))]
struct Lease {
    id: u64,
}

// A refresh alone.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 30m, cache(refresh = 80%))]
struct Refresh {
    id: u64,
}

// Both are one error.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, cache(lease = 10s, refresh = 80%))]
struct Both {
    id: u64,
}

// Options of cached keys in other libraries.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(negative_ttl = 60))]
struct NegativeTtl {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, lock_timeout = 5))]
struct LockTimeout {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, refresh_ahead = 0.75))]
struct RefreshAhead {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:street:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, stale_while_revalidate = 10m))]
struct Stale {
    id: u64,
}

// A copy in memory is not encrypted.
#[derive(RedisKey)]
#[redis_key(user:email:{id}:string, value = Secret<Json<u64>>, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, near = 10s))]
struct SecretCopies {
    id: u64,
}

// A lock is read by its owner only.
#[derive(RedisKey)]
#[redis_key(user:lock:{id}:string, lock, ttl = 30s, near = 10s)]
struct NearLock {
    id: u64,
}

fn main() {}
