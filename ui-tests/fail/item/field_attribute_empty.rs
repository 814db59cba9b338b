// A field's attribute is not empty.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case {
    #[redis_key()]
    id: String,
}

fn main() {}
