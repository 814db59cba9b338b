// A template in the notation of another tool is one error.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user.name.{id}.string, value = u64, ttl = 1h)]
struct Dots {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user/name/{id}/string, value = u64, ttl = 1h)]
struct Slashes {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user, name, {id}, string, value = u64, ttl = 1h)]
struct Commas {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:${id}:string, value = u64, ttl = 1h)]
struct Dollar {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name:#{id}:string, value = u64, ttl = 1h)]
struct Hash {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(concat!("user:", "name:{id}:string"), value = u64, ttl = 1h)]
struct MacroCall {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(b"user:name:{id}:string", value = u64, ttl = 1h)]
struct Bytes {
    id: u64,
}

#[derive(RedisKey)]
#[redis_key(user:name.:{id}:string, value = u64, ttl = 1h)]
struct EmptyWord {
    id: u64,
}

fn main() {}
