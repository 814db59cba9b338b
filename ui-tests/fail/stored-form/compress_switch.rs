// Compression is part of the value, as a switch too.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, compress = true, value = Profile)]
struct Case {
    id: u64,
}

fn main() {}
