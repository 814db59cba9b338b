// The values of options in quotes.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = "json<Profile>", ttl = "3600", jitter = "200%", renew = "raed", max_bytes = "64kb")]
struct Case {
    id: u64,
}

fn main() {}
