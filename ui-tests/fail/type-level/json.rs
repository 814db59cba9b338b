// What is stored as JSON is serde's to write and to read.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

// What is stored as JSON is serde's to write and to read.
#[derive(RedisKey)]
#[redis_key(user:profile:{id}:string, value = Json<Profile>, ttl = 1h)]
struct JsonOfAPlainStruct {
    id: u64,
}

fn main() {}
