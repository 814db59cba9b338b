// The brackets of a type are angles.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = Json(Profile))]
struct Case {
    id: u64,
}

fn main() {}
