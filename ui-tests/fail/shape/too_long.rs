// The literal text alone is longer than a key may be.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(
    user:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:andmore:string,
    value = u64,
    ttl = 1h,
)]
struct Case;

fn main() {}
