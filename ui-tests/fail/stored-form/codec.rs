// A codec is part of the value.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, codec = json, value = Profile)]
struct Case {
    id: u64,
}

fn main() {}
