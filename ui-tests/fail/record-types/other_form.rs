// The form stores what the field holds.
use redis_keys::prelude::*;

#[derive(serde::Serialize, serde::Deserialize)]
struct Address;

struct Person;

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(value = Json<Address>)]
    person: Person,
    #[redis_hash(value = Json<Address>)]
    maybe: Option<Person>,
}

fn main() {}
