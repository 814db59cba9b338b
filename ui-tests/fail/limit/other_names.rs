// Limits as other libraries write them.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(rate:first:{id}:string, rate = "100/min", burst = 20)]
struct Rate {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:second:{id}:string, limit = 100, per = 1m)]
struct Per {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(rate:third:{id}:string, limit = 10, window = 60)]
struct Window {
    id: u64,
}

fn main() {}
