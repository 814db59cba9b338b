// A field that expires may be missing, and says how long it lives.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    #[redis_hash(ttl = 10m)]
    mandatory: u64,
    #[redis_hash(ttl = 600)]
    number: Option<u8>,
    #[redis_hash(ttl = "1 hour")]
    other: Option<u8>,
    #[redis_hash(ttl = never)]
    never: Option<u8>,
    #[redis_hash(ttl = 4000d)]
    long: Option<u8>,
}

fn main() {}
