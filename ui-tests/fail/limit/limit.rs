// A limit is a number in a period.
use redis_keys::prelude::*;

// A text.
#[derive(RedisKey)]
#[redis_key(rate:first:{id}:string, limit = "100/min")]
struct Text {
    id: u64,
}

// A word.
#[derive(RedisKey)]
#[redis_key(rate:second:{id}:string, limit = 100 per 1m)]
struct Word {
    id: u64,
}

// A unit alone.
#[derive(RedisKey)]
#[redis_key(rate:third:{id}:string, limit = 100/m)]
struct UnitAlone {
    id: u64,
}

// A number alone.
#[derive(RedisKey)]
#[redis_key(rate:fourth:{id}:string, limit = 100)]
struct NumberAlone {
    id: u64,
}

// None is allowed.
#[derive(RedisKey)]
#[redis_key(rate:fifth:{id}:string, limit = 0 / 1m)]
struct Zero {
    id: u64,
}

// More than a billion.
#[derive(RedisKey)]
#[redis_key(rate:sixth:{id}:string, limit = 2_000_000_000 / 1m)]
struct TooMany {
    id: u64,
}

// More than ten years.
#[derive(RedisKey)]
#[redis_key(rate:seventh:{id}:string, limit = 5 / 4000d)]
struct TooLong {
    id: u64,
}

// No value.
#[derive(RedisKey)]
#[redis_key(rate:eighth:{id}:string, limit)]
struct NoValue {
    id: u64,
}

fn main() {}
