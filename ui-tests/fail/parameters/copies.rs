// Only strings have copies, and the number of the copy is in the template once.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:recent:{id}:{copy}:list, value = u64, ttl = 1h, copies = 8)]
struct OfAList {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy % 8}:string, value = u64, ttl = 1h, copies = 8)]
struct Shard {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:{copy}:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct Twice;

#[derive(RedisKey)]
#[redis_key(user:{copy}:{id}:string, value = u64, ttl = 1h, copies = 8)]
struct UnusedField {
    id: u64,
    page: u64,
}

fn main() {}
