// What doesn't say how it is stored is told at the value's type.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

// A plain struct doesn't say how it is stored.
#[derive(RedisKey)]
#[redis_key(user:profile:{id}:string, value = Profile, ttl = 1h)]
struct PlainValue {
    id: u64,
}

// An absent value is no value.
#[derive(RedisKey)]
#[redis_key(user:profile.b:{id}:string, value = Option<u64>, ttl = 1h)]
struct OptionValue {
    id: u64,
}

fn main() {}
