// Rate limits: the limit, the burst, and other options.
use redis_keys::prelude::*;

// A text.
#[derive(RedisKey)]
#[redis_key(rate:first:{id}:string, limit("100/min"))]
struct Text {
    id: u64,
}

// A word.
#[derive(RedisKey)]
#[redis_key(rate:second:{id}:string, limit(100 per 1m))]
struct Word {
    id: u64,
}

// A unit alone.
#[derive(RedisKey)]
#[redis_key(rate:third:{id}:string, limit(100/m))]
struct UnitAlone {
    id: u64,
}

// A number alone.
#[derive(RedisKey)]
#[redis_key(rate:fourth:{id}:string, limit(100))]
struct NumberAlone {
    id: u64,
}

// None is allowed.
#[derive(RedisKey)]
#[redis_key(rate:fifth:{id}:string, limit(0 / 1m))]
struct Zero {
    id: u64,
}

// More than a billion.
#[derive(RedisKey)]
#[redis_key(rate:sixth:{id}:string, limit(2_000_000_000 / 1m))]
struct TooMany {
    id: u64,
}

// More than ten years.
#[derive(RedisKey)]
#[redis_key(rate:seventh:{id}:string, limit(5 / 4000d))]
struct TooLong {
    id: u64,
}

// A step that rounding makes more than 1% longer.
#[derive(RedisKey)]
#[redis_key(rate:ninth:{id}:string, limit(30_000 / 1s))]
struct TooFast {
    id: u64,
}

// No value.
#[derive(RedisKey)]
#[redis_key(rate:eighth:{id}:string, limit)]
struct NoValue {
    id: u64,
}

// Nothing.
#[derive(RedisKey)]
#[redis_key(rate:first:{id}:string, limit(100 / 1m, burst = 0))]
struct BurstZero {
    id: u64,
}

// Without a limit.
#[derive(RedisKey)]
#[redis_key(rate:second:{id}:string, limit(burst = 20))]
struct Alone {
    id: u64,
}

// Beside a count.
#[derive(RedisKey)]
#[redis_key(user:calls:{id}:string, value = u64, ttl = 1m, limit(burst = 20))]
struct Count {
    id: u64,
}

// A key that lives longer than ten years.
#[derive(RedisKey)]
#[redis_key(rate:third:{id}:string, limit(1 / 365d, burst = 11))]
struct BurstTooLong {
    id: u64,
}

// Limits as other libraries write them.
#[derive(RedisKey)]
#[redis_key(rate:first:{id}:string, limit(rate = "100/min", burst = 20))]
struct Rate {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:second:{id}:string, limit(100, per = 1m))]
struct Per {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:third:{id}:string, limit(10, window = 60))]
struct Window {
    id: u64,
}

// It has a ttl and stores something.
#[derive(RedisKey)]
#[redis_key(rate:first:{id}:string, value = u64, ttl = 1m, limit(100 / 1m))]
struct ValueAndTtl {
    id: u64,
}

// It expires exactly.
#[derive(RedisKey)]
#[redis_key(rate:second:{id}:string, limit(100 / 1m), jitter = 5s)]
struct Jitter {
    id: u64,
}

// It is renewed already.
#[derive(RedisKey)]
#[redis_key(rate:third:{id}:string, limit(100 / 1m), renew = write)]
struct RenewedLimit {
    id: u64,
}

// Each copy would allow all of it.
#[derive(RedisKey)]
#[redis_key(rate:fourth:{copy}:string, limit(100 / 1m), copies = 8)]
struct Copies;

// Of another type.
#[derive(RedisKey)]
#[redis_key(rate:fifth:{id}:zset, limit(100 / 1m))]
struct OfAZset {
    id: u64,
}

// Options of other patterns.
#[derive(RedisKey)]
#[redis_key(rate:sixth:{id}:string, limit(100 / 1m), cache(null_ttl = 5m, lease = 10s, refresh = 80%))]
struct CachedLimit {
    id: u64,
}

fn main() {}
