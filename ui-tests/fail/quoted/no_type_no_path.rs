// What stands in quotes is no type and no path.
use redis_keys::prelude::*;

// A type in quotes that is no Rust at all.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = "Json<Prof#\"ile>", ttl = 1h)]
struct ValueDoesNotLex {
    id: u64,
}

// A path in quotes that is none.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h, crate = "my crate")]
struct CratePath {
    id: u64,
}

fn main() {}
