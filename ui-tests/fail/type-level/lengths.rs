// A key can be too long for some values of its parameters, and a `.` is a separator.
use redis_keys::prelude::*;

// A key that can be too long for some values of its parameters.
#[derive(RedisKey)]
#[redis_key(user:name:{a}:{b}:{c}:string, value = u64, ttl = 1h)]
struct TooLong {
    a: u128,
    b: u128,
    c: u128,
}

// Text counts as one byte at least.
#[derive(RedisKey)]
#[redis_key(
    user:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:andmore:{id}:{name}:{page}:string,
    value = u64,
    ttl = 1h,
)]
struct TooLongWithText {
    id: u64,
    name: String,
    page: u32,
}

// A wrong template and a wrong parameter are reported together.
#[derive(RedisKey)]
#[redis_key(user:basicInfo:{id}:string, value = u64, ttl = 1h)]
struct WithAWrongTemplate {
    id: f64,
}

// What is behind a reference is reported, too.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct SignedFloatInAReference<'a> {
    id: &'a f64,
}

fn main() {}
