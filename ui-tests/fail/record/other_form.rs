// The form stores what the field holds, and a default needs one.
use redis_keys::prelude::*;

#[derive(serde::Serialize, serde::Deserialize)]
struct Address;

struct Person;

#[derive(RedisHash)]
struct OtherForm {
    id: u64,
    #[redis_hash(value = Json<Address>)]
    person: Person,
    #[redis_hash(value = Json<Address>)]
    maybe: Option<Person>,
}

// A default needs one.
#[derive(serde::Serialize, serde::Deserialize)]
struct Town;

#[derive(RedisHash)]
struct NoDefault {
    id: u64,
    #[redis_hash(value = Json<Town>, default)]
    town: Town,
}

fn main() {}
