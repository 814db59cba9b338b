// A key has English letters alone, and nothing is guessed of a word with others.
use redis_keys::prelude::*;

// A key has English letters alone. Nothing can be guessed of a word with others.
#[derive(RedisKey)]
#[redis_key(user:café:{id}:string, value = u64, ttl = 1h)]
struct ForeignLetter {
    id: u64,
}

// A key has English letters alone.
#[derive(RedisKey)]
#[redis_key(user:名前:{id}:string, value = u64, ttl = 1h)]
struct ForeignWord {
    id: u64,
}

fn main() {}
