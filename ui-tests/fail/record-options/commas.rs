// Options are separated by commas.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(default rename = "a")]
    first: u8,
    #[redis_hash(rename = "b" default)]
    second: u8,
    #[redis_hash(default,, rename = "c")]
    third: u8,
}

fn main() {}
