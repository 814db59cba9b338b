// Our forms have one name each.
use redis_keys::prelude::*;

struct Profile {
    name: String,
}

// Our form in lower case.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = json<Profile>)]
struct LowerCase {
    id: u64,
}

// Our form in upper case.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = JSON<Profile>)]
struct UpperCase {
    id: u64,
}

// Our form by the name of a library.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = msgpack<Profile>)]
struct OtherName {
    id: u64,
}

// Our form in lower case, and nothing that it stores.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, ttl = 1h, value = json)]
struct LowerCaseNoPayload {
    id: u64,
}

fn main() {}
