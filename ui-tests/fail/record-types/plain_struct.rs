// A struct says how it is stored.
use redis_keys::prelude::*;

struct Address;

#[derive(RedisHash)]
struct Case {
    id: u64,
    address: Address,
    tags: Vec<String>,
    other: Option<Address>,
    #[redis_hash(default)]
    third: Vec<Option<u8>>,
}

fn main() {}
