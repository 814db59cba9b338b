// A form has a type argument.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

// A form has a type argument.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Json)]
struct NoPayload {
    id: u64,
}

// A form has a type argument.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Json<>)]
struct EmptyPayload {
    id: u64,
}

fn main() {}
