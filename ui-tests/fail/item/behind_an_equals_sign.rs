// The declaration is in parentheses.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key = "user:name:{id}:string"]
struct Case {
    id: u64,
}

fn main() {}
