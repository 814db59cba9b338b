// Every field is a part of the key.
use redis_keys::prelude::*;

// A field that the key doesn't hold.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct UnusedField {
    id: u64,
    page: u32,
}

// A field without a name that the key doesn't hold.
#[derive(RedisKey)]
#[redis_key(user:name:{0}:string, value = u64, ttl = 1h)]
struct UnusedTupleField(u64, u32);

// A raw identifier is shown as it is written in the template.
#[derive(RedisKey)]
#[redis_key(user:name:all:string, value = u64, ttl = 1h)]
struct UnusedRawField {
    r#type: u64,
}

fn main() {}
