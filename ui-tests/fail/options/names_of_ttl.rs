// Another name of `ttl`, in the unit that they count in.
use redis_keys::prelude::*;

// Another library's name of `ttl`, in seconds.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, expire = 3600)]
struct Expire {
    id: u64,
}

// Redis' name of it, in milliseconds.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, px = 1500)]
struct Px {
    id: u64,
}

// Another library's name of `ttl`, with a unit.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, timeout = "1 hour")]
struct Timeout {
    id: u64,
}

// Another library's name of `ttl`, without a value.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, expire)]
struct ExpireWithoutValue {
    id: u64,
}

fn main() {}
