// The values of options in quotes.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = "json<Profile>", ttl = "3600", jitter = "200%", renew = "raed", max_bytes = "64kb")]
struct Options {
    id: u64,
}

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

// A type in quotes that is no stored form.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = "Profile", ttl = 1h)]
struct UnstoredValue {
    id: u64,
}

fn main() {}
