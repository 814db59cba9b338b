// The whole template is at fault.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key("user:name:{id}:string", value = u64)]
struct Case {
    id: u64,
}

fn main() {}
