// Text counts as one byte at least.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(
    user:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:averylongwordthatnobodyneeds:andmore:{id}:{name}:{page}:string,
    value = u64,
    ttl = 1h,
)]
struct Case {
    id: u64,
    name: String,
    page: u32,
}

fn main() {}
