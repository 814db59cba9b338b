// One field of a record is mandatory.
use redis_keys::prelude::*;

#[derive(RedisHash)]
struct Options {
    name: Option<String>,
    page: Option<u32>,
}

#[derive(RedisHash)]
struct Defaults {
    name: Option<String>,
    #[redis_hash(default)]
    page: u32,
}

fn main() {}
