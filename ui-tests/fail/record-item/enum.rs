// A record is a struct, not an enum.
use redis_keys::prelude::*;

#[derive(RedisHash)]
enum Case {
    One,
    Two,
}

fn main() {}
