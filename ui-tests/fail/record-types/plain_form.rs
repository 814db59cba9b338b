// What a form names is a form.
use redis_keys::prelude::*;

struct Address;

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(value = Address)]
    address: Address,
}

fn main() {}
