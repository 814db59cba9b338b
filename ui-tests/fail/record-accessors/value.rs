// A hash without `field` holds a record.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:profile:{id}:hash, value = Profile, ttl = 1h)]
struct Case {
    id: u64,
}

fn main() {}
