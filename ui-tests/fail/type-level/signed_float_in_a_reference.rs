// What is behind a reference is reported, too.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case<'a> {
    id: &'a f64,
}

fn main() {}
