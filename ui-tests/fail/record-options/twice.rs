// An option is given once.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(default, default)]
    first: u8,
    #[redis_hash(rename = "a")]
    #[redis_hash(rename = "b")]
    second: u8,
}

fn main() {}
