// A constant that would be there twice is reported once.
use redis_keys::prelude::*;

#[derive(RedisHash)]
#[allow(non_snake_case)]
struct Case {
    userId: u64,
    user_id: String,
}

fn main() {
    println!("{:?}", Case::USER_ID);
}
