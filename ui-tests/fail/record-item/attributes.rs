// Options of the struct.
use redis_keys::prelude::*;

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
struct Unknown {
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

fn main() {}
