// Every field is in the template, once.
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

// Each field that is not in the template is reported.
#[derive(RedisKey)]
#[redis_key(user:name:all:string, value = u64, ttl = 1h)]
struct UnusedFields {
    id: u64,
    page: u32,
}

// A field is in the template once.
#[derive(RedisKey)]
#[redis_key(user:name:{id}:of:{id}:string, value = u64, ttl = 1h)]
struct Twice {
    id: u64,
}

// As the hash tag too.
#[derive(RedisKey)]
#[redis_key(user:name:{#id}:of:{#id}:string, value = u64, ttl = 1h)]
struct HashTag {
    id: u64,
}

// A key has one hash tag.
#[derive(RedisKey)]
#[redis_key(user:{#id}:{#page}:string, value = u64, ttl = 1h)]
struct TwoHashTags {
    id: u64,
    page: u32,
}

fn main() {}
