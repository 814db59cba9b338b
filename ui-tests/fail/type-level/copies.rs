// A hot key is not one key, and what is not hot has no copies.
use redis_keys::{RedisKey as Key, prelude::*};

#[derive(RedisKey)]
#[redis_key(user:name:{id}:{copy}:string, value = u64, ttl = 1h, copies = 8)]
struct Hot {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:count:{id}:string, value = u64, ttl = 1h)]
struct Cold {
    id: u64,
}

fn name(key: &impl Key) -> String {
    key.key().map(String::from).unwrap_or_default()
}

fn copies<K: CopiedKey>(_: &K) -> u32 {
    K::COPIES
}

fn main() {
    name(&Hot { id: 1 });
    copies(&Cold { id: 1 });
}
