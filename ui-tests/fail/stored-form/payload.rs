// A form says what it stores.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

// A form stores something.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Json)]
struct NoPayload {
    id: u64,
}

// A form stores something.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Json<>)]
struct EmptyPayload {
    id: u64,
}

fn main() {}
