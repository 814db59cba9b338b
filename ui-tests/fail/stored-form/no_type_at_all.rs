// A stored form is a type.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

// A number is no type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = 5)]
struct NoType {
    id: u64,
}

// `value` is a type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value =)]
struct MissingType {
    id: u64,
}

// `field` is a type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:hash, ttl = 1h, value = u64, field = 5)]
struct FieldIsNoType {
    id: u64,
}

fn main() {}
