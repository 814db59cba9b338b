// The last segment is nearly the name of a type.
use redis_keys::prelude::*;

// A typo in the type.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:strng, value = u64, ttl = 1h)]
struct Slip {
    id: u64,
}

// The type is lower case, as all of a key is.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:String, value = u64, ttl = 1h)]
struct Capital {
    id: u64,
}

// The type is lower case, as all of a key is.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:STRING, value = u64, ttl = 1h)]
struct UpperCase {
    id: u64,
}

// The type is in the singular.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:strings, value = u64, ttl = 1h)]
struct Plural {
    id: u64,
}

fn main() {}
