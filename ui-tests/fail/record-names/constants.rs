// No two fields have one constant.
use redis_keys::prelude::*;

#[derive(RedisHash)]
#[allow(non_snake_case)]
struct Case {
    userId: u64,
    user_id: u64,
}

fn main() {}
