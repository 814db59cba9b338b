// A typo in `below`.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, renew = belov(10m))]
struct Case {
    id: u64,
}

fn main() {}
