// Every field is in the template.
use redis_keys::prelude::*;

// A field that is not in the template.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:string, value = u64, ttl = 1h)]
struct UnusedField {
    id: u64,
    page: u32,
}

// A field without a name that is not in the template.
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
