// `{copy}` belongs to a key with `copies`.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy}:string, value = u64, ttl = 1h)]
struct NoNumber {
    id: u64,
}

// It may have been meant for the field that is left.
#[derive(RedisKey)]
#[redis_key("user:age:{#copy}:string", value = u64, ttl = 1h)]
struct InItsPlace {
    id: u64,
}

// The number is called `copy`.
#[derive(RedisKey)]
#[redis_key(user:town:{id}:{copies}:string, value = u64, ttl = 1h, copies = 8)]
struct OtherName {
    id: u64,
}

// Of a list there are none.
#[derive(RedisKey)]
#[redis_key(user:recent:{id}:{copy}:list, value = u64, ttl = 1h)]
struct OfAList {
    id: u64,
}

fn main() {}
