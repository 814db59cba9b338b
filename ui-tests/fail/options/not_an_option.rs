// Options of other libraries that are not options here.
use redis_keys::prelude::*;

// The type is part of the template.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, type = string)]
struct Type {
    id: u64,
}

// Shards are part of the template.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, shards = 10)]
struct Shards {
    id: u64,
}

// A doc comment describes the key.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, description = "who it is")]
struct Description {
    id: u64,
}

fn main() {}
