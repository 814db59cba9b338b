// Options of other libraries on a struct.
use redis_keys::prelude::*;

#[derive(RedisHash)]
#[redis_hash(rename_all = "camelCase")]
struct RenameAll {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash(ttl = 1h)]
struct Ttl {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash(prefix = "user")]
struct Prefix {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash(deny_unknown_fields)]
struct Deny {
    id: u64,
}

fn main() {}
