// A record is a struct, not a union.
use redis_keys::prelude::*;

#[derive(RedisHash)]
union Case {
    one: u8,
    two: i8,
}

fn main() {}
