// The key doesn't end with its type, which the help guesses from the options.
use redis_keys::prelude::*;

// The key doesn't end with its type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}, value = u64, ttl = 1h)]
struct Missing {
    id: u64,
}

// The key doesn't end with its type, and the last word is not a misspelt one.
#[derive(RedisKey)]
#[redis_key(user:{id}:name, value = u64, ttl = 1h)]
struct MissingAfterText {
    id: u64,
}

// `field` suggests a hash.
#[derive(RedisKey)]
#[redis_key(user:name:{id}, field = String, value = u64, ttl = 1h)]
struct MissingWithField {
    id: u64,
}

// `keep_last` suggests a list.
#[derive(RedisKey)]
#[redis_key(user:name:{id}, value = u64, keep_last = 10, ttl = 1h)]
struct MissingWithKeepLast {
    id: u64,
}

// `keep_top` suggests a zset.
#[derive(RedisKey)]
#[redis_key(user:name:{id}, value = u64, keep_top = 10, ttl = 1h)]
struct MissingWithKeepTop {
    id: u64,
}

fn main() {}
