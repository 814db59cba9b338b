// Options that a cached key cannot have.
use redis_keys::prelude::*;

// A lease must end although there are reads.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, renew = read)]
struct RenewedByReads {
    id: u64,
}

// The same.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, refresh = 80%, renew = below(10m))]
struct RenewedByFewReads {
    id: u64,
}

// There is one lease.
#[derive(RedisKey)]
#[redis_key(user:name:{copy}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, copies = 8)]
struct Copies;

// The end of a month.
#[derive(RedisKey)]
#[redis_key(user:name:{month}:string, value = u64, ttl = 1h, jitter = 10%, null_ttl = 5m, refresh = 80%, ttl_from_end_of = month)]
struct EndOfMonth {
    month: redis_keys::bucket::Month,
}

// No end at all.
#[derive(RedisKey)]
#[redis_key(user:email:{id}:string, value = u64, ttl = never, reason = "a fixed table", lease = 10s)]
struct Never {
    id: u64,
}

fn main() {}
