// A type in quotes that is no stored form.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = "Profile", ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {}
