// The form's payload can be written and read.
use redis_keys::prelude::*;

struct Address;

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(value = Json<Address>)]
    address: Address,
}

fn main() {}
