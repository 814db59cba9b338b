// An option is a name and a value.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(rename)]
    first: u8,
    #[redis_hash(rename("b"))]
    second: u8,
    #[redis_hash(ttl: 10m)]
    third: Option<u8>,
    #[redis_hash(value =)]
    fourth: u8,
    #[redis_hash(default = 5)]
    fifth: u8,
    #[redis_hash()]
    sixth: u8,
    #[redis_hash]
    seventh: u8,
    #[redis_hash = "x"]
    eighth: u8,
}

fn main() {}
