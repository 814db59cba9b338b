//! A key has one of the types that the policy lists for its module.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = String, ttl = 1h, jitter = 5m)]
struct Fits {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:names:{id}:list, value = String, ttl = 1h, jitter = 5m)]
struct OneOfTwo {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key("board:scores:{id}:set", value = String, ttl = 1h)]
struct OnlyOne {
    id: u64,
}

fn main() {
    let _ = (Fits { id: 1 }.get(), OneOfTwo { id: 1 }.llen(), OnlyOne { id: 1 }.scard());
}
