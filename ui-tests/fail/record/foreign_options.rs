// Options of serde and other libraries on fields.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    id: u64,
    #[redis_hash(name = "n")]
    name: String,
    #[redis_hash(alias = "n")]
    alias: String,
    #[redis_hash(rename_all = "camelCase")]
    rename_all: String,
    #[redis_hash(skip)]
    skip: String,
    #[redis_hash(skip_serializing_if = "String::is_empty")]
    skip_if: String,
    #[redis_hash(flatten)]
    flatten: Address,
    #[redis_hash(with = "my::functions")]
    with: Address,
    #[redis_hash(codec = json)]
    codec: Address,
    #[redis_hash(nullable)]
    nullable: String,
    #[redis_hash(expire = 600)]
    expire: Option<u8>,
}

struct Address;

fn main() {}
