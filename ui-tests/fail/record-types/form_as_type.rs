// A stored form is not a field's type.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    id: u64,
    address: Json<Address>,
}

struct Address;

fn main() {}
