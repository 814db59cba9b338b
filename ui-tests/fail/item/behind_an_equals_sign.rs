// The declaration stands in brackets.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key = "user:name:{id}:string"]
struct Case {
    id: u64,
}

fn main() {}
