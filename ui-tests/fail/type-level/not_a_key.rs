// What is no key has no commands, and a hot key is not one key.
use redis_keys::{RedisKey as Key, prelude::*};

// What is no key has no commands.
struct NotAKey {
    id: u64,
}

fn read<K: RedisKey>(_key: &K) {}

fn count<K: StringKey>(_key: &K) {}

fn not_a_key() {
    let case = NotAKey { id: 42 };
    read(&case);
    count(&case);
}

// A hot key is not one key, and what is not hot has no copies.
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

fn use_copies() {
    name(&Hot { id: 1 });
    copies(&Cold { id: 1 });
}

fn main() {}
