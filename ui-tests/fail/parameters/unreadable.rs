// A placeholder that cannot be read leaves no field unused.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{a & 7}:{b:05}:string, value = u64, ttl = 1h)]
struct Expressions {
    a: u64,
    b: u64,
}

#[derive(RedisKey)]
#[redis_key("user:name:{}:{}:string", value = u64, ttl = 1h)]
struct Empty {
    a: u64,
    b: u64,
}

#[derive(RedisKey)]
#[redis_key("user:name:{}:string", id, value = u64, ttl = 1h)]
struct Positional {
    id: u64,
}

fn main() {}
