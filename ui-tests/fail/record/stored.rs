// The value of a field is stored in a form that holds it.
use redis_keys::prelude::*;

// A struct says how it is stored.
struct Address;

#[derive(RedisHash)]
struct PlainStruct {
    id: u64,
    address: Address,
    tags: Vec<String>,
    other: Option<Address>,
    #[redis_hash(default)]
    third: Vec<Option<u8>>,
}

// What a form names is a form.
#[derive(RedisHash)]
struct PlainForm {
    id: u64,
    #[redis_hash(value = Address)]
    address: Address,
}

// The form's payload can be written and read.
#[derive(RedisHash)]
struct NoSerde {
    id: u64,
    #[redis_hash(value = Json<Address>)]
    address: Address,
}

// What derives nothing is no record.
struct Plain {
    id: u64,
}

fn fields<R: redis_keys::RedisHash>() -> usize {
    R::FIELDS.len()
}

fn count() -> usize {
    fields::<Plain>()
}

fn main() {}
