// `allow` names a lint; without one no lint fires.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64, ttl = 1h, allow())]
struct Case {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:age:{id}:string, value = u64, ttl = 1h, allow)]
struct Bare {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:town:{id}:string, value = u64, ttl = 1h, allow(reason = "it is one key"))]
struct OnlyAReason {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:email:{id}:string, value = u64, ttl = 1h, alow(missing_jitter, reason = "it is so: one key"))]
struct Slip {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:phone:{id}:string, value = u64, ttl = 1h, allow(missing_jiter, reason = "it is one key"))]
struct SlipInTheLint {
    id: u64,
}

fn main() {}
