// Unknown options.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Case {
    #[redis_hash(defualt)]
    first: u8,
    #[redis_hash(colour = red)]
    second: u8,
    #[redis_hash(renam = "x", !)]
    third: u8,
}

fn main() {}
