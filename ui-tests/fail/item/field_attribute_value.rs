// A field's attribute stands in brackets.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case {
    #[redis_key = "digest"]
    id: String,
}

fn main() {}
