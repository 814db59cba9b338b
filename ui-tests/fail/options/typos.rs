// An option's name is nearly right.
use redis_keys::prelude::*;

// A typo in an option's name.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, jiter = 5m)]
struct Slip {
    id: u64,
}

// A typo in `ttl`: it is not reported as missing as well.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, tll = 1h)]
struct SlipInTtl {
    id: u64,
}

fn main() {}
