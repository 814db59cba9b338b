// A default needs one.
use redis_keys::prelude::*;

#[derive(serde::Serialize, serde::Deserialize)]
struct Address;

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(value = Json<Address>, default)]
    address: Address,
}

fn main() {}
