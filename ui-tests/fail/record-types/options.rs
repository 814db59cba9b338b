// An `Option` is not nested.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    id: u64,
    twice: Option<Option<u8>>,
    #[redis_hash(value = Json<Option<u8>>)]
    form: Option<u8>,
}

fn main() {}
