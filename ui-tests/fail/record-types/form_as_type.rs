// There are no values of a stored form.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    id: u64,
    address: Json<Address>,
}

struct Address;

fn main() {}
