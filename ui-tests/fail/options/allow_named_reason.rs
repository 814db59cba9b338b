// The reason for opting out is called `reason`.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(cache:name:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, because = "it is one key"))]
struct OtherName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:age:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, "it is one key"))]
struct NoName {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:town:{id}:string, value = u64, ttl = 1h, allow(missing_jitter reason = "it is one key"))]
struct NoComma {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:email:{id}:string, value = u64, ttl = 1h, allow(missing_jitter = "it is one key"))]
struct BehindTheLint {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:phone:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, reason: "it is one key"))]
struct OtherSign {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:mail:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, reason = "one", reason = "two"))]
struct TwoReasons {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(cache:note:{id}:string, value = u64, ttl = 1h, allow(missing_jitter, reason = "one", note = "two"))]
struct MoreThanAReason {
    id: u64,
}

fn main() {}
