// A record is the value of a key.
use redis_keys::prelude::*;

#[derive(RedisHash)]
#[redis_hash(user:profile:{id}:hash, ttl = 1h)]
struct Profile {
    name: String,
}

fn main() {}
