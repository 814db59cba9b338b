// How long absence is remembered, how long a load may take, when a value is refreshed, and how old values may be.
use redis_keys::prelude::*;

// A number without a unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 300))]
struct NoUnit {
    id: u64,
}

// Nothing is remembered for no time.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 0s))]
struct Zero {
    id: u64,
}

// A name alone.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl))]
struct NoValue {
    id: u64,
}

// The ttl of absent values is at most the ttl.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 5m, cache(null_ttl = 2h))]
struct NullTtlLongerThanTtl {
    id: u64,
}

// A long one.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, lease = 6m))]
struct Long {
    id: u64,
}

// A short one.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, lease = 50ms))]
struct Short {
    id: u64,
}

// One that outlives the value.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1m, jitter = 10%, cache(null_ttl = 5s, lease = 2m))]
struct AboveTtl {
    id: u64,
}

// A number without a unit.
#[derive(RedisKey)]
#[redis_key(user:street:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, lease = 10))]
struct LeaseNoUnit {
    id: u64,
}

// Nothing is loaded in no time.
#[derive(RedisKey)]
#[redis_key(user:email:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, lease = 0s))]
struct LeaseZero {
    id: u64,
}

// The share that is left.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, refresh = 20%))]
struct RemainingShare {
    id: u64,
}

// All of it.
#[derive(RedisKey)]
#[redis_key(user:age:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, refresh = 100%))]
struct All {
    id: u64,
}

// A fraction.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, refresh = 0.8))]
struct Fraction {
    id: u64,
}

// A number.
#[derive(RedisKey)]
#[redis_key(user:street:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, refresh = 80))]
struct Number {
    id: u64,
}

// A duration, which is a share of the ttl.
#[derive(RedisKey)]
#[redis_key(user:email:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, refresh = 48m))]
struct Duration {
    id: u64,
}

// A flag.
#[derive(RedisKey)]
#[redis_key(user:phone:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, refresh = true))]
struct Flag {
    id: u64,
}

// A value of another option.
#[derive(RedisKey)]
#[redis_key(user:hair:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, refresh = read))]
struct OtherOption {
    id: u64,
}

// A copy that may be as old as that.
#[derive(RedisKey)]
#[redis_key(user:eyes:{id}:string, value = u64, ttl = 1d, jitter = 10%, cache(null_ttl = 5m, near = 2h))]
struct OldCopies {
    id: u64,
}

// An expired value that is gone before a load has failed.
#[derive(RedisKey)]
#[redis_key(user:nose:{id}:string, value = u64, ttl = 1h, jitter = 10%, cache(null_ttl = 5m, lease = 30s, stale = 20s))]
struct ShortStale {
    id: u64,
}

// Longer than any key may live.
#[derive(RedisKey)]
#[redis_key(user:ears:{id}:string, value = u64, ttl = 3000d, jitter = 10%, cache(null_ttl = 5m, stale = 520w))]
struct LongStale {
    id: u64,
}

fn main() {}
