// A hot key has a number of copies.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy}:string, value = u64, ttl = 1h, copies = 0)]
struct NoCopy {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:age:{id}:{copy}:string, value = u64, ttl = 1h, copies = many)]
struct Many {
    id: u64,
}

fn main() {}
