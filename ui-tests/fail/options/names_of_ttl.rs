// What others call `ttl`, in the unit that they count in.
use redis_keys::prelude::*;

// What other libraries call `ttl`, in seconds.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, expire = 3600)]
struct Expire {
    id: u64,
}

// What Redis calls it, in milliseconds.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, px = 1500)]
struct Px {
    id: u64,
}

// What other libraries call `ttl`, with a unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, timeout = "1 hour")]
struct Timeout {
    id: u64,
}

// What other libraries call `ttl`, without a value.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, expire)]
struct ExpireWithoutValue {
    id: u64,
}

fn main() {}
