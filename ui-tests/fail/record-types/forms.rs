// A form is a type, and spelt as it is.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(value = json<Vec<u8>>)]
    lower_case: Vec<u8>,
    #[redis_hash(value = Json)]
    alone: Vec<u8>,
    #[redis_hash(value = 5)]
    number: Vec<u8>,
    #[redis_hash(value = "Json<Vec<u8>")]
    unclosed: Vec<u8>,
}

fn main() {}
