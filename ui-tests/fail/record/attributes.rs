// Options of a record.
use redis_keys::prelude::*;

// Options of the struct.
#[derive(RedisHash)]
#[redis_hash(crate)]
struct NoPath {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash(crate = 5)]
struct WrongPath {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash(crate = ::redis_keys, crate = ::redis_keys)]
struct Twice {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash(crat = ::redis_keys)]
struct Slip {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash(colour = red)]
struct UnknownOption {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash(default)]
struct OfAField {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash]
struct Word {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash = "x"]
struct Value {
    id: u64,
}

#[derive(RedisHash)]
#[redis_hash(crate = ::redis_keys)]
#[redis_hash(crate = ::redis_keys)]
struct Two {
    id: u64,
}

// Options of other libraries on a struct.
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

// A record is the value of a key.
#[derive(RedisHash)]
#[redis_hash(user:profile:{id}:hash, ttl = 1h)]
struct Profile {
    name: String,
}

fn main() {}
