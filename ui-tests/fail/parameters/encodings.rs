// `digest` and `base32` apply to whole values, and not to shards.
use redis_keys::prelude::*;
use std::marker::PhantomData;

#[derive(RedisKey)]
#[redis_key(user:name:{id % 1000}:string, value = u64, ttl = 1h)]
struct Shard {
    #[redis_key(digest)]
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Phantom {
    id: u64,
    #[redis_key(base32)]
    of: PhantomData<u8>,
}

fn main() {}
