// Text in quotes that is not a type or a path.
use redis_keys::prelude::*;

// A type in quotes that is not Rust.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = "Json<Prof#\"ile>", ttl = 1h)]
struct ValueDoesNotLex {
    id: u64,
}

// A path in quotes that is not one.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, crate = "my crate")]
struct CratePath {
    id: u64,
}

fn main() {}
