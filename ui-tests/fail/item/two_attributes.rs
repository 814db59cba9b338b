// One attribute holds the template and all options.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64)]
#[redis_key(ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {}
