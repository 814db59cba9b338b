// Types that can't be stored are reported together with all else.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case<T> {
    id: u64,
    address: Address,
    #[redis_hash(skip)]
    other: Address,
    #[redis_hash(value = Json<Address>)]
    third: T,
    fourth: &'static str,
}

struct Address;

fn main() {}
