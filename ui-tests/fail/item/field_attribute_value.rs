// The options of a field are in parentheses.
use redis_keys::prelude::*;

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct Case {
    #[redis_key = "digest"]
    id: String,
}

fn main() {}
