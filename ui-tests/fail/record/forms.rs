// A form is a type, and spelt as it is.
use redis_keys::prelude::*;
use std::borrow::Cow;

#[derive(RedisHash)]
struct Forms {
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

// A stored form is not a field's type.
#[derive(RedisHash)]
struct FormAsType {
    id: u64,
    address: Json<Address>,
}

struct Address;

// An `Option` is not nested.
#[derive(RedisHash)]
struct Options {
    id: u64,
    twice: Option<Option<u8>>,
    #[redis_hash(value = Json<Option<u8>>)]
    form: Option<u8>,
}

// A record owns its values.
#[derive(RedisHash)]
struct References<'a> {
    id: u64,
    name: &'a str,
    cow: Cow<'a, str>,
    other: Vec<Cow<'a, str>>,
    bytes: Option<&'static [u8]>,
}

fn main() {}
