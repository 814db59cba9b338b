// A key has no other signs.
use redis_keys::prelude::*;

// A sign that is not part of a word.
#[derive(RedisKey)]
#[redis_key(user:*:{id}:string, value = u64, ttl = 1h)]
struct Star {
    id: u64,
}

// A pattern of keys is no template.
#[derive(RedisKey)]
#[redis_key(user:name:*:string, value = u64, ttl = 1h)]
struct Pattern {
    id: u64,
}

// A sign between two words.
#[derive(RedisKey)]
#[redis_key(user@home:name:{id}:string, value = u64, ttl = 1h)]
struct AtSign {
    id: u64,
}

// A hash tag is declared inside of braces.
#[derive(RedisKey)]
#[redis_key(user:#tag:{id}:string, value = u64, ttl = 1h)]
struct HashSign {
    id: u64,
}

// A sign that is left of a macro's variable.
#[derive(RedisKey)]
#[redis_key(user:$name:{id}:string, value = u64, ttl = 1h)]
struct Dollar {
    id: u64,
}

fn main() {}
